export interface QuickstartCall {
  readonly url: string;
  /** The body, in JSON. */
  readonly body: string;
}

/**
 * A call on the free credit in Python, with packages that Debian has. The texts are those of EIP-4361 and EIP-191. An alarm
 * bounds a whole request; a timeout of `urllib` bounds each wait for a byte. The wallet signs with a library that is not
 * hardened against measuring its time, which is enough for one that holds nothing.
 */
export const pythonQuickstart = ({
  url,
  body,
}: QuickstartCall): string => `import base64, hashlib, json, signal, sys, urllib.request
from Cryptodome.Hash import keccak
from ecdsa import SECP256k1, SigningKey, VerifyingKey
from ecdsa.util import sigencode_string_canonize

URL = '${url}'
BODY = r'''${body}'''.encode()

def keccak256(data):
    return keccak.new(data=data, digest_bits=256).digest()

# Answers of every status are returned as they are, so no redirect is followed.
class Plain(urllib.request.HTTPErrorProcessor):
    def http_response(self, request, response):
        return response
    https_response = http_response

opener = urllib.request.build_opener(Plain)
signal.signal(signal.SIGALRM, lambda *_: sys.exit('no whole answer in 30 seconds: neither repeat nor pay'))

def call(headers={}):
    signal.alarm(30)
    return opener.open(urllib.request.Request(URL, BODY, {'content-type': 'application/json', **headers}))

def expect(status, headers, answer):
    if answer.status != status or any(answer.headers.get_all(name) != values for name, values in headers.items()):
        sys.exit(f'not confirmed, so neither repeat nor pay: {answer.status} {answer.read().decode()}')

# A new wallet. Its address has the checksum of EIP-55.
key = SigningKey.generate(SECP256k1)
digits = keccak256(key.verifying_key.to_string())[-20:].hex()
checksum = keccak256(digits.encode()).hex()
address = '0x' + ''.join(digit.upper() if c > '7' else digit for digit, c in zip(digits, checksum))

# The challenge of the 402 answer, as the wallet signs it.
offer = call()
expect(402, {'x-trial-status': ['challenge']}, offer)
challenge = json.loads(base64.b64decode(offer.headers['payment-required']))['extensions']['sign-in-with-x']
info, chain = challenge['info'], challenge['supportedChains'][0]
text = f"""{info['domain']} wants you to sign in with your Ethereum account:
{address}

{info['statement']}

URI: {info['uri']}
Version: {info['version']}
Chain ID: {chain['chainId'].split(':')[1]}
Nonce: {info['nonce']}
Issued At: {info['issuedAt']}
Expiration Time: {info['expirationTime']}
Request ID: {info['requestId']}
Resources:
""" + '\\n'.join('- ' + resource for resource in info['resources'])

# The signature ends with 27 or 28, which says which of two possible keys signed.
digest = keccak256(b'\\x19Ethereum Signed Message:\\n' + f'{len(text.encode())}{text}'.encode())
signature = key.sign_digest_deterministic(digest, hashlib.sha256, sigencode_string_canonize)
possible = VerifyingKey.from_public_key_recovery_with_digest(signature, digest, SECP256k1)
signature += bytes([27 + possible.index(key.verifying_key)])

proof = {**info, **chain, 'address': address, 'signature': '0x' + signature.hex()}
answer = call({'sign-in-with-x': base64.b64encode(json.dumps(proof).encode()).decode()})
expect(200, {
    'x-access-mode': ['trial'],
    'x-trial-status': ['charged'],
    'x-trial-accounting-status': ['confirmed'],
    'payment-response': None,
    'x-payment-response': None,
}, answer)
print('confirmed', json.load(answer))`;
