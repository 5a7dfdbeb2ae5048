# Two stages: the toolchain builds, a small Debian runs.
FROM swift:6.3-bookworm AS build
# The packages of Scripts/packages.txt, line "build".
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libarchive-dev libdeflate-dev liblzma-dev zlib1g-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
RUN swift build -c release --static-swift-stdlib --disable-local-rpath --product packtool \
    && install -m 755 "$(swift build -c release --static-swift-stdlib --disable-local-rpath --show-bin-path)/packtool" /usr/local/bin/packtool \
    && strip /usr/local/bin/packtool

FROM debian:bookworm-slim
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libarchive13 libdeflate0 liblzma5 zlib1g libstdc++6 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 packtool
COPY --from=build /usr/local/bin/packtool /usr/local/bin/packtool
USER 10001
WORKDIR /work
ENTRYPOINT ["packtool"]
CMD ["--help"]
