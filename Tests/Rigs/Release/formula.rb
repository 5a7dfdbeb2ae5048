# Loads a formula with a stand-in for the parts of Homebrew that it uses, and installs the current directory.
#   ruby formula.rb FORMULA macos|linux intel|arm PREFIX
# It prints the url and sha256 of the platform as JSON.
require "fileutils"
require "json"
require "pathname"

FORMULA, SYSTEM, CPU, PREFIX = ARGV

class Pathname
  def install(*files)
    mkpath
    files.flatten.each { |file| FileUtils.cp_r(file, self) }
  end
end

class Formula
  @said = {}
  class << self
    attr_reader :said

    def inherited(other)
      super
      other.instance_variable_set(:@said, {})
    end

    def desc(_) = nil

    def homepage(_) = nil

    def license(_) = nil

    def url(text) = said["url"] = text

    def sha256(text) = said["sha256"] = text

    def on_macos = (yield if SYSTEM == "macos")

    def on_linux = (yield if SYSTEM == "linux")

    def on_intel = (yield if CPU == "intel")

    def on_arm = (yield if CPU == "arm")

    def test = nil
  end

  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d",
    doc: "share/doc/packtool" }.each do |name, folder|
    define_method(name) { Pathname.new(PREFIX) / folder }
  end
end

load FORMULA
Packtool.new.install
puts JSON.generate(Packtool.said)
