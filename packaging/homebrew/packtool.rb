# The formula of packtool's tap. 'Scripts/release.py collect' writes the one of a release, with version and
# checksums, which the GitHub release contains as packtool.rb.
class Packtool < Formula
  desc "Offline packages for the web pages inside an app"
  homepage "https://github.com/OWNER/packtool"
  license "Apache-2.0"

  on_macos do
    url "https://github.com/OWNER/packtool/releases/download/v0.0.0/packtool-0.0.0-macos-universal.tar.gz"
    sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  end
  on_linux do
    on_intel do
      url "https://github.com/OWNER/packtool/releases/download/v0.0.0/packtool-0.0.0-linux-x86_64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
    on_arm do
      url "https://github.com/OWNER/packtool/releases/download/v0.0.0/packtool-0.0.0-linux-aarch64.tar.gz"
      sha256 "0000000000000000000000000000000000000000000000000000000000000000"
    end
  end

  def install
    bin.install "bin/packtool"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/packtool"
    zsh_completion.install "share/zsh/site-functions/_packtool"
    fish_completion.install "share/fish/vendor_completions.d/packtool.fish"
    doc.install Dir["share/doc/packtool/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/packtool --version")
    (testpath/"dist/index.html").write "<!doctype html><html lang=en><meta charset=utf-8><title>x</title><p>x"
    system bin/"packtool", "package", "dist", "--output", "dist.zip"
    assert_path_exists testpath/"dist.zip"
  end
end
