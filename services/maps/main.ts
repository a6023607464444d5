await (process.argv.includes('--check') ? import('./check.ts') : import('./serve.ts'));
