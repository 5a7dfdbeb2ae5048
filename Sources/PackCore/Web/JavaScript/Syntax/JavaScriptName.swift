/// The names that patterns look for, which have the same number in all scripts.
enum JavaScriptName: UInt16, CaseIterable, Sendable {
    case dollar
    case dollarHTTP
    case window, `self`, globalThis, document, navigator, location, top, parent, undefined, href
    case origin, `protocol`, host, hostname, port, pathname, search, hash, baseURI, userAgent
    case platform, appVersion, versions, node, prototype, isSecureContext, length, Object, Array
    case String, Number, Promise, Symbol, Boolean, URL, Capacitor, cordova
    case isNativePlatform, getPlatform, hot, jQuery, querySelector, getElementById, createElement
    case encodeURI, encodeURIComponent, decodeURIComponent, concat, join, toString, valueOf, trim
    case toLowerCase, replace, test, match, includes, indexOf, startsWith, endsWith, push, pop
    case shift, unshift, splice, fill, reverse, sort, forEach, map, AsyncFunction
    case AsyncGeneratorFunction, Atomics, Audio, Blob, Deno, ENVIRONMENT_IS_NODE
    case ENVIRONMENT_IS_WORKER, Error, EventSource, FontFace, Function, GODOT_THREADS_ENABLED
    case GeneratorFunction, IN_NODE, Instance, Memory, Module, Notification, Request
    case SharedArrayBuffer, SharedWorker, TypeError, WebAssembly, WebSocket, Worker
    case WorkerGlobalScope, XMLHttpRequest, __html, addEventListener, addModule, after, ajax
    case alert, allSettled, append, appendChild, apply, assign, async, attachEvent, attr, attrs
    case axios, background, backgroundImage, baseURL, before, bind, borderImage, buffer
    case caches, `catch`, clearWatch, click, clipboard, clone, compile, compileStreaming, console
    case constructor, cookie, create, createContextualFragment, createElementNS, createObjectURL
    case createPolicy, crossOriginIsolated, crypto, css, cssText, cursor, data, dataset, debug
    case defaults, define, delete, documentMode, domProps, error, eval, fail, fetch
    case `finally`, geolocation, get, getImageData, getJSON, getScript, head, html, http
    case httpClient, importScripts, indexedDB, info, innerHTML, innerText
    case insertAdjacentHTML, insertRule, instantiate, instantiateStreaming, isNode, lastIndexOf
    case listStyleImage, load, loadAnimation, localStorage, localeCompare, locateFile, log
    case maskImage, mediaDevices, method, mkdir, nonce, ok, on, once, onclick, one, onerror
    case onpointerup, onsubmit, ontouchend, open, outerHTML, parseHTML, patch, path, post
    case postMessage, poster, precacheAndRoute, prepend, process, prop, props, put, readFile
    case register, reject, replaceAll, replaceWith, reportError, request, requestPermission
    case require, resolve, sendBeacon, serviceWorker, sessionStorage, setAttribute
    case setAttributeNS, setInterval, setProperty, setTimeout, shared, skipWaiting, split, spread
    case src, srcdoc, srcset, style, submit, subtle, texImage2D, textContent, then
    case toBlob, toDataURL, trustedTypes, type, url, warn, with, write, writeFile, writeln
    case onError, Howl, equal, getAttribute
    // Bundlers and routers.
    case e, u, p, f, j, l, h, miniCss, miniCssF, requirejs, config, baseUrl, paths, deps
    case bundles, packages, System, `import`, parse, JSON, pushState, replaceState, usr
    case hashMode, mode, basename, basepath, start, kit, onpopstate, options, slice, substr
    case substring, state, BrowserRouter, createBrowserRouter, createWebHistory, HashRouter
    case MemoryRouter, createHashRouter, createMemoryRouter, createWebHashHistory, dataUrl
    case codeUrl, memoryUrl, mainWasmPath, frameworkUrl, mainJsPath, loadPath, addPath
    case fallbackLng, exports, element, Component, component, components, lazy, children
    case loader, redirect, redirectTo, loadChildren, loadComponent, render, getParentRoute
    case exact, beforeEnter, parentId, errorElement, routes, to
    case cache
    case publicPathGlobal
    case requireGlobal
    case viteDependencies
    case nextFlight
    case tanStackIndex

    /// The characters of the name.
    var text: String {
        switch self {
        case .dollar: "$"
        case .dollarHTTP: "$http"
        case .publicPathGlobal: "__webpack_public_path__"
        case .requireGlobal: "__webpack_require__"
        case .viteDependencies: "__vite__mapDeps"
        case .nextFlight: "__next_f"
        case .tanStackIndex: "__TSR_index"
        default: "\(self)"
        }
    }
}
