/** Bytes of a block. */
const RATE = 136;
const LANE_BYTES = 8;

/** Keccak-256 as Ethereum uses it, which is SHA-3 with an earlier padding (FIPS 202). A client that is loaded has no packages. */
export function keccak256(input: Uint8Array): Uint8Array {
  const state = new Uint8Array(200);
  const lanes = new DataView(state.buffer);
  const padded = new Uint8Array((Math.floor(input.length / RATE) + 1) * RATE);
  padded.set(input);
  const blocks = new DataView(padded.buffer);
  blocks.setUint8(input.length, 1);
  blocks.setUint8(padded.length - 1, blocks.getUint8(padded.length - 1) | 0x80);
  for (let start = 0; start < padded.length; start += RATE) {
    for (let lane = 0; lane < RATE / LANE_BYTES; lane += 1)
      change(lanes, lane, laneOf(lanes, lane) ^ blocks.getBigUint64(start + lane * LANE_BYTES, true));
    permute(lanes);
  }
  return state.slice(0, 32);
}

const laneOf = (lanes: DataView, index: number): bigint => lanes.getBigUint64(index * LANE_BYTES, true);
const change = (lanes: DataView, index: number, value: bigint): void =>
  lanes.setBigUint64(index * LANE_BYTES, value, true);
const rotate = (lane: bigint, bits: number): bigint =>
  BigInt.asUintN(64, lane << BigInt(bits)) | (lane >> BigInt(64 - bits));

/** Keccak-f[1600]. The names of the steps are those of FIPS 202, section 3.2. */
function permute(lanes: DataView): void {
  let register = 1;
  for (let round = 0; round < 24; round += 1) {
    theta(lanes);
    rhoAndPi(lanes);
    chi(lanes);
    for (let bit = 0; bit < 7; bit += 1) {
      register = ((register << 1) ^ ((register >> 7) * 0x71)) % 256;
      if (register & 2) change(lanes, 0, laneOf(lanes, 0) ^ (1n << BigInt(2 ** bit - 1)));
    }
  }
}

function theta(lanes: DataView): void {
  const column = (x: number) => [0, 5, 10, 15, 20].reduce((parity, row) => parity ^ laneOf(lanes, row + (x % 5)), 0n);
  const changes = [0, 1, 2, 3, 4].map((x) => column(x + 4) ^ rotate(column(x + 1), 1));
  for (const [x, mask] of changes.entries())
    for (let row = 0; row < 25; row += 5) change(lanes, row + x, laneOf(lanes, row + x) ^ mask);
}

function rhoAndPi(lanes: DataView): void {
  let [x, y] = [1, 0];
  let moved = laneOf(lanes, 1);
  for (let step = 1; step <= 24; step += 1) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    const rotated = rotate(moved, ((step * (step + 1)) / 2) % 64);
    moved = laneOf(lanes, x + 5 * y);
    change(lanes, x + 5 * y, rotated);
  }
}

function chi(lanes: DataView): void {
  for (let row = 0; row < 25; row += 5) {
    const before = new DataView(lanes.buffer.slice(row * LANE_BYTES, (row + 5) * LANE_BYTES));
    for (let x = 0; x < 5; x += 1) {
      const mixed = laneOf(before, x) ^ (~laneOf(before, (x + 1) % 5) & laneOf(before, (x + 2) % 5));
      change(lanes, row + x, mixed);
    }
  }
}
