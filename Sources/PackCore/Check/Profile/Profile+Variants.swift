extension Profile {
    /// The profile with a single host.
    package func with(host: String) -> Profile {
        var profile = self
        profile.hosts = [host]
        return profile
    }

    /// The profile with another page origin.
    package func with(pageOrigin: PageOrigin) -> Profile {
        var profile = self
        profile.pageOrigin = pageOrigin
        return profile
    }

    /// The profile with some values changed.
    package func with(_ change: (inout Profile) -> Void) -> Profile {
        var profile = self
        change(&profile)
        return profile
    }
}
