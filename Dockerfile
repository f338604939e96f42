# One image for all of Preflight: docker run -p 8787:8787 <image>, or `api` and `coordinator` apart (docker-compose.yml).
FROM node:22-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --ignore-scripts
RUN npm run build
RUN npm prune --omit=dev

FROM node:22-slim
ENV NODE_ENV=production
# In a container nobody else is on 127.0.0.1; what is published is up to `docker run -p`.
ENV PREFLIGHT_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/shared ./shared
COPY --from=build /app/workers ./workers
COPY --from=build /app/services ./services
USER node
EXPOSE 8787
ENTRYPOINT ["node", "services/cli/dist/main.js"]
CMD ["serve"]
