import Foundation
import TestSupport
import Testing

/// The text of `packtool check`: terminal width, colours, and the number of findings shown.
@Suite struct FindingsTextTests {
    private let check = "packtool check dist --profile basename-cache --host www.example.com"

    /// Pages with findings at the start, middle and end of long lines and of lines with wide
    /// characters.
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.prepare(
            """
            build
            python3 - <<'END'
            long, wide = 'x' * 300, '漢字仮名' * 40
            for name, before, after in [('a', '', ''), ('b', long, ''), ('c', '', long), ('d', long, long),
                                        ('e', wide, wide), ('f', 'é日' * 3, 'é' * 9), ('g', '😀' * 70, '')]:
                with open(f'dist/{name}.html', 'w') as page:
                    page.write('<!doctype html><meta charset=utf-8>\\n'
                               f'<p>{before}<img src="gone-{name}.png">{after}</p>\\n'
                               f'<p>{before}<img src="{"k" * 250}-{name}.png">{after}</p>\\n')
            END
            """)
        return sandbox
    }

    /// Columns and caret positions are compared with Python's Unicode database.
    @Test(arguments: [40, 60, 80, 200])
    func excerptsFitTheTerminal(columns: Int) async throws {
        let sandbox = try await sandbox()
        let run = try await sandbox.run(
            """
            COLUMNS=\(columns) \(check) --select missing-file --limit 0 > out.txt
            python3 - <<'END'
            import unicodedata as u
            def width(text):
                return sum(0 if u.category(c) in ('Mn', 'Me', 'Cf') else 2 if u.east_asian_width(c) in 'WF' else 1
                           for c in text)
            lines, seen = open('out.txt').read().split('\\n'), 0
            for mark in [i for i, line in enumerate(lines) if line.strip(' |') and not line.strip(' |^')]:
                shown, carets = lines[mark - 1], lines[mark]
                assert width(shown) <= \(columns), shown
                assert len(carets) <= \(columns), carets
                start, end, column = carets.index('^'), carets.rindex('^') + 1, 0
                under = ''
                for c in shown:
                    if start <= column < end: under += c
                    column += width(c)
                assert under[:7] in ('gone-%s.' % under[5:6], 'kkkkkkk'), (under, shown)
                if under.startswith('gone'): assert under == 'gone-%s.png' % under[5], under
                seen += 1
            print(seen)
            END
            """)
        #expect(run.errors == "")
        #expect(run.output == "14\n")
    }

    @Test func summaryFitsTheTerminal() async throws {
        let run = try await sandbox().run("COLUMNS=60 \(check) --hints")
        let lines = run.lines.drop { $0 != "findings by rule:" }.prefix { $0 != "" }
        #expect(lines.count > 1)
        for line in lines { #expect(line.count <= 60, "\(line)") }
    }

    @Test func showsEveryRuleBeforeTheSecondFindingOfOne() async throws {
        let sandbox = try await sandbox()
        try await sandbox.prepare(
            """
            mkdir dist/one dist/two; echo 1 > dist/one/same.png; echo 2 > dist/two/same.png
            echo '<img src=one/same.png><img src=two/same.png>' >> dist/g.html
            """)
        let all = try await sandbox.run("\(check) --limit 0")
        let few = try await sandbox.run("\(check) --limit 3")
        let errors = { (text: String) in
            text.matches(of: /(?m)^error\[([a-z-]+)\]/).map { String($0.1) }
        }
        let rules = Set(errors(all.output))
        #expect(rules.count > 1 && errors(all.output).count > 14)
        #expect(errors(few.output).count == 3)
        #expect(Set(errors(few.output)).count == min(3, rules.count))
        #expect(few.output.contains(/… and \d+ more findings \('--limit 0' shows all\)/))
        // The counts include hidden findings.
        #expect(few.output.contains(#/\n  error +14  missing-file /#), "\(few.output)")
        #expect(few.lines.first == all.lines.first)
        #expect(
            few.lines.first?.contains(/^\d+ errors, .* in \d+ files — not ready to publish$/)
                == true)
        #expect(few.status == 1)
    }

    @Test func limitsMarkdownToo() async throws {
        let run = try await sandbox().run("\(check) --format markdown --limit 2")
        #expect(run.lines.count { $0.hasPrefix("| error") } == 2)
        #expect(run.output.contains("more findings; `packtool check` shows all"))
        for wrong in ["--format sarif --limit 2", "--json --limit 2", "--limit -1"] {
            #expect(try await sandbox().run("\(check) \(wrong)").status == 64, "\(wrong)")
        }
    }

    @Test(arguments: [
        ("", "", false), ("--color always", "", true), ("--color never", "CLICOLOR_FORCE=1", false),
        ("", "CLICOLOR_FORCE=1", true), ("", "CLICOLOR_FORCE=0", false),
        ("", "CLICOLOR_FORCE=1 NO_COLOR=1", false), ("--color always", "NO_COLOR=1", true),
        ("--color auto", "TERM=xterm", false),
    ])
    func colours(flags: String, environment: String, isColored: Bool) async throws {
        let run = try await sandbox().run("\(environment) \(check) \(flags)")
        #expect(run.output.contains("\u{1B}[") == isColored)
        #expect(run.output.contains("\u{1B}[1;31merror[missing-file]\u{1B}[0m") == isColored)
    }

    @Test func coloursChangeNoText() async throws {
        let sandbox = try await sandbox()
        let plain = try await sandbox.run("\(check) --hints").output
        let colored = try await sandbox.run("\(check) --hints --color always").output
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }

    @Test func aTerminalHasColoursAndAWidth() async throws {
        let run = try await sandbox().run(
            """
            cat > terminal.py <<'END'
            import fcntl, os, pty, struct, subprocess, sys, termios
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 50, 0, 0))
            process = subprocess.Popen(sys.argv[1:], stdout=slave, stderr=subprocess.DEVNULL,
                                       env={**os.environ, 'TERM': 'xterm'})
            os.close(slave)
            while True:
                try: piece = os.read(master, 65536)
                except OSError: break
                if not piece: break
                sys.stdout.buffer.write(piece)
            END
            python3 terminal.py \(check) --select missing-file
            """)
        #expect(run.output.contains("\u{1B}[1;31merror"))
        let text = run.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        let excerpts = text.split(whereSeparator: \.isNewline).filter { $0.contains(#/^\d+ \| /#) }
        #expect(!excerpts.isEmpty)
        for line in excerpts where line.allSatisfy(\.isASCII) {
            #expect(line.count <= 50, "\(line)")
        }
        #expect(excerpts.contains { $0.hasSuffix("…") })
    }
}
