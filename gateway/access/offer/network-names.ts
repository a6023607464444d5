/** Names for people, by CAIP-2 id. */
export const NETWORK_NAMES: Readonly<Record<string, string>> = {
  'eip155:8453': 'Base',
  'eip155:84532': 'Base Sepolia',
  'eip155:31337': "the sandbox's chain",
};
