# Two stages: the first packs, the second has only what is needed to run. What is packed is the same for all
# platforms, so it is made on the one that builds:
#   docker buildx build --platform linux/amd64,linux/arm64 -t zine-catalogue .
ARG NODE=node:24-bookworm-slim

FROM --platform=$BUILDPLATFORM $NODE AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package needs its install script: native modules come precompiled.
RUN npm ci --ignore-scripts
COPY . .
RUN npm pack && tar -xf zine-catalogue-*.tgz

FROM $NODE
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="Zine Catalogue" \
  org.opencontainers.image.description="A linked-data catalogue of zines" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION"
# Without the last one, glibc keeps memory that was freed, in an arena for each thread.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --cache /tmp/npm && rm -rf /tmp/npm
COPY --from=build /build/package ./
RUN ln -s /app/dist/main.js /usr/local/bin/zine-catalogue \
  && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8000
# Not /readyz: a restart does not repair a full disk.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Node is not designed to run as PID 1: use `docker run --init`.
CMD ["node", "dist/main.js"]
