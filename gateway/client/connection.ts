export type Hex = `0x${string}`;

export interface Connection {
  /** Of the server, such as `https://api.example.com`. */
  readonly origin: string;
  /** The longest time of a whole request. 30,000 by default. */
  readonly timeoutMs?: number;
  /** The runtime's own by default. */
  readonly fetch?: typeof fetch;
}

/** Signs in. An account of viem is one. */
export interface TrialSigner {
  /** With the checksum of EIP-55. */
  readonly address: `0x${string}`;
  /** Makes a signature of EIP-191. */
  signMessage(input: { readonly message: string }): Promise<string>;
}

/** What a payer signs (EIP-712): a transfer or deposit of USDC (EIP-3009), or a voucher of a channel. */
export interface TypedData {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: Hex;
  };
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly primaryType: string;
  /** Integers are of the type bigint. */
  readonly message: Readonly<Record<string, Hex | bigint>>;
}

/** Signs in and pays. An account of viem is one. */
export interface Signer extends TrialSigner {
  signTypedData(data: TypedData): Promise<string>;
}
