#include "CArchive.h"
#include "Loaded.h"

CURLcode carchive_curl_set_number(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

CURLcode carchive_curl_set_size(CURL *transfer, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(transfer, option, value);
}

CURLcode carchive_curl_set_text(CURL *transfer, CURLoption option, const char *value) {
    return curl_easy_setopt(transfer, option, value);
}

CURLcode carchive_curl_set_pointer(CURL *transfer, CURLoption option, void *value) {
    return curl_easy_setopt(transfer, option, value);
}

CURLcode carchive_curl_set_receivers(CURL *transfer, curl_write_callback header, curl_write_callback content,
                                     void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, content);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
    return result;
}

CURLcode carchive_curl_set_watchers(CURL *transfer, curl_debug_callback arrived, curl_xferinfo_callback goes_on,
                                    void *context) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_VERBOSE, 1L);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_DEBUGFUNCTION, arrived);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_DEBUGDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_NOPROGRESS, 0L);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_XFERINFOFUNCTION, goes_on);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_XFERINFODATA, context);
    return result;
}

CURLcode carchive_curl_set_sender(CURL *transfer, curl_read_callback content, curl_seek_callback rewind, void *context,
                                  curl_off_t size) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_UPLOAD, 1L);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_READFUNCTION, content);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_READDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_SEEKFUNCTION, rewind);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_SEEKDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_INFILESIZE_LARGE, size);
    return result;
}

CURLMcode carchive_curl_set_many(CURLM *transfers, CURLMoption option, long value) {
    return curl_multi_setopt(transfers, option, value);
}

CURL *carchive_curl_next_ended(CURLM *transfers, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(transfers, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}

curl_off_t carchive_curl_wait(CURL *transfer) {
    curl_off_t sent = 0, answered = 0;
    if (curl_easy_getinfo(transfer, CURLINFO_PRETRANSFER_TIME_T, &sent) != CURLE_OK) return 0;
    if (curl_easy_getinfo(transfer, CURLINFO_STARTTRANSFER_TIME_T, &answered) != CURLE_OK) return 0;
    return answered > sent ? answered - sent : 0;
}

unsigned carchive_curl_version(void) {
    const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
    return version == NULL ? 0 : version->version_num;
}
