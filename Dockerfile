# Two stages: the toolchain builds, and a small Debian runs the program.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY Scripts/packages.txt Scripts/install.sh Scripts/licences.sh ./Scripts/
RUN Scripts/install.sh build && rm -rf /var/lib/apt/lists/*
COPY Package.swift LICENSE ./
COPY docs/third-party.md ./docs/
COPY Sources ./Sources
COPY Tests ./Tests
RUN swift build -c release --static-swift-stdlib --disable-local-rpath --product packtool \
    && install -m 755 "$(swift build -c release --static-swift-stdlib --disable-local-rpath --show-bin-path)/packtool" /usr/local/bin/packtool \
    && strip /usr/local/bin/packtool \
    && Scripts/licences.sh /usr/share/doc/packtool

FROM debian:bookworm-slim
COPY Scripts/packages.txt Scripts/install.sh /tmp/Scripts/
RUN /tmp/Scripts/install.sh run \
    && rm -rf /tmp/Scripts /var/lib/apt/lists/* \
    && useradd --system --uid 10001 packtool
COPY --from=build /usr/local/bin/packtool /usr/local/bin/packtool
COPY --from=build /usr/share/doc/packtool /usr/share/doc/packtool
USER 10001
WORKDIR /work
ENTRYPOINT ["packtool"]
CMD ["--help"]
