// 'make dist' links both libraries, and so does macOS.
#if defined(__linux__) && !defined(CARCHIVE_STATIC)
#define CARCHIVE_LOADED 1
#include <curl/curl.h>

// The variadic functions of libcurl, which Loaded.c cannot forward: CURLE_FAILED_INIT if it is missing.
typedef CURLcode (*carchive_set)(CURL *, CURLoption, ...);
typedef CURLMcode (*carchive_set_many)(CURLM *, CURLMoption, ...);
typedef CURLcode (*carchive_get)(CURL *, CURLINFO, ...);
carchive_set carchive_loaded_set(void);
carchive_set_many carchive_loaded_set_many(void);
carchive_get carchive_loaded_get(void);

#undef curl_easy_setopt
#undef curl_multi_setopt
#undef curl_easy_getinfo
#define curl_easy_setopt carchive_loaded_set()
#define curl_multi_setopt carchive_loaded_set_many()
#define curl_easy_getinfo carchive_loaded_get()
#endif
