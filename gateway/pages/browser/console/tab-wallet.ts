import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const KEY = 'tollhouse-burner-wallet';
const PRIVATE_KEY = /^0x[0-9a-f]{64}$/;

/** A wallet that signs in, and that holds play money at most. */
export type TabWallet = ReturnType<typeof privateKeyToAccount>;

/** The wallet of this tab. It is made when it is first needed, and gone when the tab is closed. */
export function tabWallet(): TabWallet {
  const kept = sessionStorage.getItem(KEY);
  if (kept !== null && PRIVATE_KEY.test(kept)) return privateKeyToAccount(kept as `0x${string}`);
  const fresh = generatePrivateKey();
  sessionStorage.setItem(KEY, fresh);
  return privateKeyToAccount(fresh);
}
