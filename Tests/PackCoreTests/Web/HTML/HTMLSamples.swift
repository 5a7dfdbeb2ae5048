import TestSupport

/// Pages for properties that apply to every page.
enum HTMLSamples {
    static let pages: [String] = [
        """
        <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A &amp; B</title>
        <link rel="stylesheet" href="/static/css/main.1a2b.css" integrity="sha384-x" crossorigin>
        <style>body{background:url(bg.png)}</style><base href='/app/'>
        <script type="importmap">{"imports":{"a":"./a.js"}}</script>
        <script>if(a<b&&c>d)document.write("<script src=x><\\/script>")</script>
        <noscript><img src="pixel.gif"><link rel=stylesheet href=n.css></noscript></head>
        <body onload="go()"><img srcset="a.png 1x, b,c.png 2x" src=a.png alt='<"x">'>
        <!-- <img src="not.png"> --><!--[if IE]><p><![endif]--><a href=x?a=1&copy=2&amp;b=3>l</a>
        <svg viewBox="0 0 1 1"><style>.a{fill:url(#g)}</style><use xlink:href="s.svg#i"/>
        <![CDATA[ <a href=no> ]]><foreignObject><p>x<div><title>t</title></div></foreignObject>
        </svg><template><img src="t.png"></template>
        <iframe srcdoc="&lt;img src=&quot;i.png&quot;&gt;"></iframe>
        <textarea><img src=no></textarea><math><mi><b>x</b></mi><mtext></mtext></math></body></html>
        """,
        "<!doctype html PUBLIC \"-//W3C//DTD\" 'http://w3/x'\r\n>\r<P CLASS=a\0b ID = ''>\u{FFFD}",
        "<script><!-- <script> </script> --></script ><!--->--!><?php x ?></ x></><a/b/c=d/>",
        "a<b<c</d<!-e<!doctypef<![CDATA[g]]>h&ampi&#0;&#x110000;&NotEqualTilde;&notit;",
        "<plaintext></plaintext><svg><![CDATA[x", "<title>a</titl></title x=y/>b<xmp><i></xmp\t>",
        "<svg><title><svg></title></svg></p><math><annotation-xml encoding=text/html><svg><b>",
    ]

    /// Pieces of random pages.
    static let pieces: [String] = [
        "<", ">", "/", "!", "--", "-", "?", "\"", "'", "=", "&", ";", "#", "x", " ", "\r", "\n",
        "\0",
        "a", "é", "\u{FFFE}", "<a ", "<p>", "</p>", "</", "<!", "<!--", "-->", "<script>",
        "</script>",
        "<svg>", "</svg>", "<math>", "<mi>", "<title>", "</title>", "<style>", "</style>",
        "<![CDATA[", "]]>", "<foreignObject>", "</foreignObject>", "<template>", "</template>",
        "<noscript>", "</noscript>", "<!DOCTYPE ", "PUBLIC", "href=", "src=", "srcset=", "style=",
        "content=", "<img ", "<meta http-equiv=refresh ", "<base ", "<link rel=icon ", "&amp;",
        "&amp", "&#x41;", "<plaintext>", "<textarea>", "1x,", "0;url=", "<iframe>", "charset=",
    ]

    /// A page of random pieces and bytes.
    static func random(_ generator: inout Noise, pieces count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count {
            if Int.random(in: 0..<12, using: &generator) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &generator))
            } else {
                bytes += Array(pieces[Int.random(in: 0..<pieces.count, using: &generator)].utf8)
            }
        }
        return bytes
    }

    /// A sample with a few bytes changed, removed or repeated.
    static func mutated(_ generator: inout Noise) -> [UInt8] {
        var bytes = Array(pages[Int.random(in: 0..<pages.count, using: &generator)].utf8)
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 7))
            }
        }
        return bytes
    }
}
