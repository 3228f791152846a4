# Two stages: the first builds, the second has only what is needed to run.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# No package needs its install script: native modules come precompiled.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm ci --omit=dev --ignore-scripts && rm -rf build/test

FROM node:24-bookworm-slim
# Without the last one, glibc keeps memory that was freed, in an arena for each thread.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/ontology ontology
COPY --from=build /build/shapes shapes
COPY --from=build /build/vocabularies vocabularies
COPY --from=build /build/citation-styles citation-styles
COPY --from=build /build/standards standards
COPY --from=build /build/src/views/assets src/views/assets
COPY --from=build /build/src/messages/*.po src/messages/
COPY --from=build /build/build build
RUN ln -s /app/build/src/main.js /usr/local/bin/zine-catalogue \
  && install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8000
# Not /readyz: a restart does not repair a full disk.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Node is not designed to run as PID 1: use `docker run --init`.
CMD ["node", "build/src/main.js"]
