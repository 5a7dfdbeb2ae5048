/// Style sheets with every kind of syntax.
enum CSSSamples {
    static let all = [
        """
        @charset "utf-8";@import url("a.css") layer(x) screen;@import 'b.css';
        @namespace svg url(http://www.w3.org/2000/svg);
        /* a comment */ a:hover,b[href^="x"]{background:#fff url(i/x.png) no-repeat,url( 'y z.png' );
        cursor:url(c.cur) 2 2,auto;--x:{url(z)};--y:url("p.png")}
        @font-face{font-family:"F";src:url(f.eot?#iefix) format("eot"),local("G"),url("f.woff2")}
        @media (min-width:1px){.c{mask:url(#m);&:hover{content:url(h.svg)}filter:url(f.svg#x)}}
        .d{background-image:image-set("a.png" 1x,url(b.png) 2x type("image/png"));width:calc(1px + 2%)}
        """,
        "a{b:url(x\\29 y)}/*# sourceMappingURL=a.css.map */",
        "<!-- a{b:c!important} --> @media{a:hover{x:url(1)}b{}} c:{} 'un\nterminated' url(a b) url('",
        "x\\:y{z:-webkit-image-set(url(a) 1x, 'b' 2x);w:src('q')} @import \"late.css\"; u+1?? #1 #a @",
    ]
}
