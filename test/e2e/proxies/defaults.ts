import type { ProxyName } from './programs.ts';

/** The shortest configuration of each proxy that a user writes: what is not here has the proxy's default. */
export const DEFAULTS: Readonly<Record<ProxyName, (port: number, gateway: string) => string>> = {
  nginx: (port, gateway) => `server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://${gateway};
  }
}`,
  haproxy: (port, gateway) => `defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s

listen tollhouse
  bind 127.0.0.1:${port}
  server s1 ${gateway}
`,
  caddy: (port, gateway) => `http://127.0.0.1:${port} {
  reverse_proxy ${gateway}
}`,
};
