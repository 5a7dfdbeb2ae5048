# The image has the static program, its licences and a CA bundle, and neither a shell nor any other program.
# '--target ci' adds the shell and the tools of busybox, for jobs that run a script in the image, as GitLab's do.
FROM swift:6.3-bookworm AS build
WORKDIR /src
COPY Scripts/packages.txt Scripts/install.sh ./Scripts/
RUN Scripts/install.sh build dist && rm -rf /var/lib/apt/lists/*
COPY Makefile Package.swift LICENSE ./
COPY docs/third-party.md ./docs/
COPY Scripts ./Scripts
COPY Sources ./Sources
COPY Tests ./Tests
# 'make dist' reads them from git, which the build context lacks.
ARG COMMIT
ARG SOURCE_DATE_EPOCH
RUN make dist && Scripts/image-root.sh .build/dist/packtool-[0-9]*.tar.gz /image

FROM busybox:1.37-musl AS ci
COPY --from=build /image /
ENV HOME=/tmp
USER 10001
WORKDIR /work
CMD ["sh"]

FROM scratch AS final
COPY --from=build /image /
ENV HOME=/tmp
USER 10001
WORKDIR /work
ENTRYPOINT ["/usr/bin/packtool"]
CMD ["--help"]
