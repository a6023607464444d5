// Shows the API reference. Nothing is loaded from elsewhere: no fonts, no proxy, no telemetry.
globalThis.Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // A paid call could end only in 402: it needs a wallet.
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  layout: 'modern',
});
