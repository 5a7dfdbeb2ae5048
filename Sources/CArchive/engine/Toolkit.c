// Finds the libraries and their functions.
#include "CEngine.h"

#if defined(__linux__)
#include "Toolkit.h"

#include <dlfcn.h>
#include <sys/auxv.h>

struct toolkit kit;

// The address of the dynamic linker, which the kernel has loaded.
int cengine_can_load(void) { return getauxval(AT_BASE) != 0; }

static void *webkit_library, *gtk_library, *glib_library, *gobject_library, *gio_library, *cairo_library, *soup_library,
    *jsc_library;

const char *cengine_load(void) {
    const struct {
        const char *name;
        void **handle;
    } libraries[] = {
        {"libwebkit2gtk-4.1.so.0", &webkit_library}, {"libgtk-3.so.0", &gtk_library},
        {"libglib-2.0.so.0", &glib_library},         {"libgobject-2.0.so.0", &gobject_library},
        {"libgio-2.0.so.0", &gio_library},           {"libcairo.so.2", &cairo_library},
        {"libsoup-3.0.so.0", &soup_library},         {"libjavascriptcoregtk-4.1.so.0", &jsc_library},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        *libraries[i].handle = dlopen(libraries[i].name, RTLD_NOW | RTLD_LOCAL);
        if (*libraries[i].handle == NULL) return libraries[i].name;
    }
#define FIND(library, result, name, parameters)                            \
    kit.name = (result(*) parameters)dlsym(library##_library, #name);      \
    if (kit.name == NULL) return #name;
    TOOLKIT(FIND)
    return NULL;
}
#else
const char *cengine_load(void) { return "WebKitGTK"; }

int cengine_can_load(void) { return 1; }
#endif
