/// The style sheet of a report.
enum ReportStyle {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--faint:#57606a;--line:#d0d7de;--card:#f6f8fa;
        --link:#0550ae;--bad:#b3261e;--warn:#7d4e00;--good:#116329;--bar:#0969da;
        --script:#f2d06b;--style:#9cc9f7;--page:#f5b6a3;--image:#a6dcae;--font:#cdbdf7;--media:#f4bfdc;--data:#aedde2;
        --wasm:#dccba6;--map:#c9d1d9;--other:#dfe3e8}
        @media (prefers-color-scheme:dark){:root{--ground:#0d1117;--text:#e6edf3;--faint:#9aa4af;--line:#3d444d;
        --card:#161b22;--link:#79c0ff;--bad:#ff8a80;--warn:#e3b341;--good:#56d364;--bar:#58a6ff;
        --script:#6a5200;--style:#0d4a86;--page:#86311f;--image:#1f5a2c;--font:#4a3290;--media:#77265a;--data:#14545d;
        --wasm:#594a26;--map:#3f4750;--other:#2f363e}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,sans-serif}
        header,main,footer{max-width:1240px;margin:0 auto;padding:0 20px}
        header{padding-top:24px}h1{font-size:24px;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}
        h2{font-size:19px;margin:36px 0 8px;padding-top:12px;border-top:1px solid var(--line)}
        h3{font-size:15px;margin:20px 0 6px}p{margin:4px 0 10px}
        .faint{color:var(--faint)}code,.path{font-family:ui-monospace,monospace;font-size:13px;overflow-wrap:anywhere}
        a{color:var(--link)}li,p,summary{overflow-wrap:anywhere}td.path{min-width:150px}nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;padding:0;margin:10px 0;list-style:none}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:10px;margin:16px 0 0}
        .tiles>div{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 14px;margin:0}
        .tiles dt{color:var(--faint);font-size:13px}.tiles dd{margin:0}
        .tiles .value{font-size:22px;font-weight:600;line-height:1.3}
        .verdict{font-size:18px;font-weight:600;margin:12px 0 0}
        .bad,a.bad{color:var(--bad)}.warn{color:var(--warn)}.good,a.good{color:var(--good)}
        table{border-collapse:collapse;width:100%;font-size:14px}
        th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top}
        th{color:var(--faint);font-weight:600;white-space:nowrap}
        td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
        td.bar{width:22%;min-width:90px}.scroll{overflow-x:auto}
        .scroll:focus-visible,summary:focus-visible,a:focus-visible,input:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
        svg{display:block;width:100%;height:auto}.meter{height:10px;margin-top:6px}
        .meter .all{fill:var(--line)}.meter .part{fill:var(--bar)}.meter .over{fill:var(--bad)}
        .map text{font:11px ui-monospace,monospace;fill:var(--text)}
        .map rect{stroke:var(--ground);stroke-width:1}.map .folder{fill:var(--card);stroke:var(--line)}
        .script{fill:var(--script)}.style{fill:var(--style)}.page{fill:var(--page)}.image{fill:var(--image)}
        .font{fill:var(--font)}.media{fill:var(--media)}.data{fill:var(--data)}.wasm{fill:var(--wasm)}
        .map-kind{fill:var(--map)}.other{fill:var(--other)}
        .swatch{display:inline-block;width:12px;height:12px;vertical-align:-1px;margin-right:8px}
        .switch{border:0;padding:0;margin:8px 0}.switch legend{float:left;margin-right:12px;color:var(--faint)}
        .switch label{margin-right:14px}
        .narrow{display:none}
        #size-raw:checked~.maps .packed,#size-packed:checked~.maps .raw{display:none}
        .choice{accent-color:var(--bar);margin:0 6px 8px 0}.choice+label{margin-right:20px}
        details{margin:6px 0}summary{cursor:pointer;padding:3px 0}
        details>*:not(summary){margin-left:18px}
        pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:8px 10px;margin:4px 0 10px;
        font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
        mark{background:none;color:var(--bad);font-weight:700;text-decoration:underline;text-underline-offset:3px}
        .tag{display:inline-block;border:1px solid currentColor;border-radius:10px;padding:0 8px;font-size:12px;line-height:1.5}
        .chart{width:auto;height:auto}.chart .bar{fill:var(--bar)}.chart .delta{fill:var(--warn)}.chart text{font:11px system-ui,sans-serif;fill:var(--faint)}
        .chart line{stroke:var(--line)}
        .pages{display:flex;flex-wrap:wrap;gap:16px 28px;padding:0;margin:12px 0;list-style:none}.pages li{max-width:420px}
        .shots{display:flex;gap:12px}figure{margin:0}figure img{border:1px solid var(--line);border-radius:6px;display:block;height:auto}
        figcaption{color:var(--faint);font-size:13px}
        footer{margin:40px auto 30px;color:var(--faint);font-size:13px}
        @media (max-width:700px){.wide{display:none}.narrow{display:block}header,main,footer{padding-left:12px;padding-right:12px}
        td.bar,th.bar{display:none}}
        @media print{:root{color-scheme:light;--ground:#fff;--text:#000;--faint:#444;--line:#bbb;--card:#fff;--link:#000;
        --script:#f2d06b;--style:#9cc9f7;--page:#f5b6a3;--image:#a6dcae;--font:#cdbdf7;--media:#f4bfdc;--data:#aedde2;
        --wasm:#dccba6;--map:#c9d1d9;--other:#dfe3e8}body{font-size:11px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
        nav,.switch,.choice,.choice+label{display:none}.scroll{overflow:visible}h2,h3{break-after:avoid}tr,pre,svg{break-inside:avoid}
        details::details-content{content-visibility:visible;block-size:auto;display:block}}
        """
}
