import PackGround

/// The scripts that the engine runs in pages.
package enum ObserverScript {
    /// Runs in every frame before the page.
    ///
    /// Reports failed elements, policy violations and the end of loading: each text once, and at
    /// most 500 from a frame.
    package static let observer = """
        (() => {
          const port = window.webkit && webkit.messageHandlers && webkit.messageHandlers.packtool;
          if (!port) return;
          const seen = new Set();
          const post = value => {
            const text = JSON.stringify(value);
            if (seen.has(text) || seen.size > 500) return;
            seen.add(text);
            try { port.postMessage(text.slice(0, 3000)); } catch (error) {}
          };
          addEventListener('error', event => {
            const element = event.target;
            if (!element || element === window || !element.tagName) return;
            const url = element.currentSrc || element.src || element.href || element.data || '';
            post({kind: 'element', tag: element.tagName.toLowerCase(), rel: element.rel || '',
                  url: String(url.baseVal || url)});
          }, true);
          addEventListener('securitypolicyviolation', event =>
            post({kind: 'policy', directive: event.effectiveDirective, url: event.blockedURI,
                  disposition: event.disposition, file: event.sourceFile || ''}));
          if (window === top) {
            // WebKitGTK without a graphics card has no paint timing.
            const look = () => {
              const body = document.body;
              if (body && (body.innerText.trim() || body.querySelector('img, svg, canvas, video')))
                post({kind: 'painted', time: Math.round(performance.now())});
              else if (performance.now() < 10000) requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
            const rest = () => setTimeout(() => port.postMessage('{"kind":"rested"}'));
            if (document.readyState === 'complete') rest(); else addEventListener('load', rest);
          }
        })();
        """

    /// Evaluates to the facts about the page as JSON.
    package static let facts = """
        (() => {
          const body = document.body;
          const text = body ? body.innerText.trim() : '';
          const links = [...document.querySelectorAll('a[href], area[href]')]
            .map(link => String(link.href.baseVal || link.href)).filter(url => url.length < 2000);
          const sheets = [...document.querySelectorAll('link[rel~=stylesheet]')]
            .filter(link => link.sheet && !link.disabled).map(link => {
              try { return [link.href, link.sheet.cssRules.length]; } catch (error) { return null; }
            }).filter(sheet => sheet && sheet[1] === 0).map(sheet => sheet[0]);
          return JSON.stringify({
            sheets: sheets.slice(0, 100), text: text.length, start: text.slice(0, 3000),
            title: String(document.title).slice(0, 200),
            links: [...new Set(links)].slice(0, 500),
          });
        })()
        """

    /// Scrolls to the end, so that the page loads what it loads when it is seen.
    package static let scroll = """
        (() => {
          const port = webkit.messageHandlers.packtool;
          const boxes = [document.scrollingElement || document.documentElement,
            ...[...document.querySelectorAll('body *')].slice(0, 5000).filter(box =>
              box.scrollHeight > box.clientHeight + 50
              && /auto|scroll/.test(getComputedStyle(box).overflowY)).slice(0, 10)].filter(box => box);
          let steps = 0;
          const step = () => {
            let moved = false;
            for (const box of boxes) {
              const before = box.scrollTop;
              box.scrollTop += Math.max(200, box.clientHeight * 0.8);
              moved = moved || box.scrollTop !== before;
            }
            if (moved && ++steps < 25) setTimeout(step, 40);
            else port.postMessage('{"kind":"scrolled"}');
          };
          step();
          return '';
        })()
        """

    /// Requests lazy chunks: those of webpack's loaders, and the given modules and files.
    ///
    /// - Parameters:
    ///   - modules: URLs for `import()`.
    ///   - files: URLs for `fetch()`.
    package static func fire(modules: [String], files: [String]) -> String {
        """
        (() => {
          const port = webkit.messageHandlers.packtool;
          const work = [];
          const ids = text => [...String(text).matchAll(
            /(?:["']?([\\w./~-]+)["']?\\s*:\\s*["'])|(?:(\\d+|"[^"]+"|'[^']+')\\s*===?\\s*[\\w$]+)|(?:[\\w$]+\\s*===?\\s*(\\d+|"[^"]+"|'[^']+'))/g)]
            .map(match => (match[1] || match[2] || match[3]).replace(/["']/g, ''));
          const loaders = new Set();
          for (const name of Object.getOwnPropertyNames(window)) {
            if (!/^webpack(Chunk|Jsonp)/.test(name) && !/webpackJsonp$/.test(name)) continue;
            const list = window[name];
            if (!list || typeof list.push !== 'function') continue;
            const key = 'packtool' + Math.random();
            try {
              list.push([[key], {}, loader => { if (loader) loaders.add(loader); }]);
              list.push([[key + 'm'], {[key]: (module, exports, loader) => loaders.add(loader)}, [[key]]]);
            } catch (error) {}
          }
          for (const loader of loaders) {
            if (typeof loader !== 'function' || typeof loader.e !== 'function') continue;
            const found = new Set([...ids(loader.u), ...ids(loader.miniCssF), ...ids(loader.e)]);
            for (const module of Object.values(loader.m || {}).slice(0, 5000))
              for (const match of String(module).matchAll(/\\.e\\(\\s*(?:\\/\\*.*?\\*\\/\\s*)?(\\d+|"[^"]+"|'[^']+')\\s*\\)/g))
                found.add(match[1].replace(/["']/g, ''));
            for (const id of [...found].slice(0, 400)) {
              const chunk = /^\\d+$/.test(id) ? Number(id) : id;
              try {
                if (typeof loader.u === 'function' && /undefined/.test(String(loader.u(chunk)))) continue;
                work.push(Promise.resolve(loader.e(chunk)).catch(() => {}));
              } catch (error) {}
            }
          }
          for (const url of \(json(modules)))
            work.push(new Function('url', 'return import(url)')(url).catch(() => {}));
          for (const url of \(json(files))) work.push(fetch(url).catch(() => {}));
          const limit = new Promise(done => setTimeout(done, 4000));
          Promise.race([Promise.all(work), limit]).then(() =>
            port.postMessage('{"kind":"fired"}'));
          return '';
        })()
        """
    }

    /// A list of texts as JavaScript.
    private static func json(_ texts: [String]) -> String {
        String(decoding: JSONWriter.write(.strings(texts)), as: UTF8.self)
    }
}
