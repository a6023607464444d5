/** The environment of a gateway in tests: the services' sockets in a run folder, and limits that a busy machine does not reach. */
export function gatewayEnvironment(runDir: string, port: number): Readonly<Record<string, string>> {
  const socket = (name: string) => `unix:${runDir}/${name}.sock`;
  return {
    PORT: String(port),
    GATEWAY_PROCESSES: '1',
    ADMIN_LISTEN: socket(`admin-${port}`),
    CONTENT_URL: socket('content'),
    MAPS_URL: socket('maps'),
    VERIFICATION_URL: socket('verification'),
    PAYMENTS_URL: socket('payments'),
    BACKOFFICE_URL: socket('backoffice'),
    RATE_LIMIT_PER_MINUTE: '0',
    // A busy machine must not look like a fault of the ledger, or like more calls than the gateway can answer.
    LEDGER_TIMEOUT_MS: '10000',
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    TARGET_LATENCY_MS: '60000',
  };
}
