#include "CArchive.h"
#include "CFiles.h"
#include "Loaded.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__linux__) && defined(CARCHIVE_STATIC)
int OPENSSL_init_crypto(uint64_t options, const void *settings);
enum { WITHOUT_CONFIGURATION = 0x80 };
#endif

CURLcode carchive_curl_start(void) {
#if defined(__linux__) && defined(CARCHIVE_STATIC)
    // The system's openssl.cnf may name libraries to load, which a static program does not survive.
    if (OPENSSL_init_crypto(WITHOUT_CONFIGURATION, NULL) != 1) return CURLE_FAILED_INIT;
#endif
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

const char *carchive_curl_authorities(void) {
#if defined(__linux__)
    // Debian and Alpine, Fedora, openSUSE, RHEL 7, others. A libcurl that is linked statically knows none of them.
    static const char *const places[] = {
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem",             "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/cert.pem",
    };
    struct stat status;
    for (size_t index = 0; index < sizeof places / sizeof *places; index++)
        if (cfiles_status(places[index], strlen(places[index]), &status) == 0) return places[index];
#endif
    return NULL;
}

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

#define MOST_EARLY 192

struct carchive_connections {
    struct sockaddr_storage address;
    socklen_t length;
    int family, type, protocol;
    int sockets[MOST_EARLY];
    int count;
    // The socket handed to libcurl last, if it is connected.
    curl_socket_t taken;
};

carchive_connections *carchive_connections_make(void) {
    carchive_connections *early = calloc(1, sizeof *early);
    if (early != NULL) early->taken = CURL_SOCKET_BAD;
    return early;
}

// A socket that is connected and whose peer has not closed it.
static int is_ready(int descriptor) {
    struct pollfd state = {.fd = descriptor, .events = POLLIN | POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    if (poll(&state, 1, 0) != 1 || state.revents != POLLOUT) return 0;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

// Closes what is of no use any more; sockets that still connect stay.
static void sweep(carchive_connections *early) {
    int kept = 0;
    for (int index = 0; index < early->count; index++) {
        struct pollfd state = {.fd = early->sockets[index], .events = POLLIN};
        if (poll(&state, 1, 0) == 0) early->sockets[kept++] = early->sockets[index];
        else close(early->sockets[index]);
    }
    early->count = kept;
}

// A socket that child processes do not inherit.
static int make_socket(int family, int type, int protocol) {
#ifdef SOCK_CLOEXEC
    return socket(family, type | SOCK_CLOEXEC, protocol);
#else
    int descriptor = socket(family, type, protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
    carchive_connections *early = context;
    early->taken = CURL_SOCKET_BAD;
    if (purpose == CURLSOCKTYPE_IPCXN && to->addrlen <= sizeof early->address) {
        if (early->length == to->addrlen && memcmp(&early->address, &to->addr, to->addrlen) == 0) {
            sweep(early);
            for (int index = 0; index < early->count; index++) {
                if (!is_ready(early->sockets[index])) continue;
                early->taken = early->sockets[index];
                early->sockets[index] = early->sockets[--early->count];
                return early->taken;
            }
        } else if (early->length == 0) {
            memcpy(&early->address, &to->addr, to->addrlen);
            early->length = to->addrlen;
            early->family = to->family;
            early->type = to->socktype;
            early->protocol = to->protocol;
        }
    }
    return make_socket(to->family, to->socktype, to->protocol);
}

static int after_open(void *context, curl_socket_t descriptor, curlsocktype purpose) {
    const carchive_connections *early = context;
    (void)purpose;
    return descriptor == early->taken ? CURL_SOCKOPT_ALREADY_CONNECTED : CURL_SOCKOPT_OK;
}

CURLcode carchive_curl_set_early(CURL *transfer, carchive_connections *early) {
    CURLcode result = curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_OPENSOCKETDATA, early);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_SOCKOPTFUNCTION, after_open);
    if (result == CURLE_OK) result = curl_easy_setopt(transfer, CURLOPT_SOCKOPTDATA, early);
    return result;
}

int carchive_connections_open(carchive_connections *early, int count) {
    if (early->length == 0) return 0;
    sweep(early);
    while (early->count < count && early->count < MOST_EARLY) {
        int descriptor = make_socket(early->family, early->type, early->protocol);
        if (descriptor < 0) return 1;
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
        if (connect(descriptor, (struct sockaddr *)&early->address, early->length) != 0 && errno != EINPROGRESS) {
            close(descriptor);
            return 1;
        }
        early->sockets[early->count++] = descriptor;
    }
    return 1;
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
