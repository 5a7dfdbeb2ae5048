/// What packtool prints without arguments.
enum FirstSteps {
    static let text = """
        packtool packages a front-end build for apps that open it offline.

        Start in the directory of your project:
          packtool init                  finds the build and writes packtool.yaml
          packtool check                 finds errors that appear only offline
          packtool publish --to ../cdn   writes a release to a directory or a bucket

        Then try an app with it:
          packtool serve ../cdn          answers like a CDN, on this machine

        'packtool --help' lists all commands, 'packtool COMMAND --help' their options.
        """
}
