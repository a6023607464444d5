"""Verifies a Tollhouse proof: python3 verify_proof.py proof.json keys.json. Needs the package cryptography.

Exit status: 0 valid, 1 not valid, 2 the arguments, a file or the keys cannot be used. proofs.md explains each step."""
import base64, hashlib, json, re, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SPKI = bytes.fromhex('302a300506032b6570032100')  # An Ed25519 key in DER is this and its 32 bytes (RFC 8410).
STATEMENTS = ('urn:tollhouse:verified-execution:v1', 'https://tollhouse.example/verified-execution/v1')
CHECKPOINT = re.compile('(([!-*,-~]{1,255})\n(0|[1-9][0-9]{0,15})\n([!-~]{44})\n)\n\u2014 \\2 ([!-~]+)\n')
FAULTS = (ValueError, KeyError, TypeError, AttributeError, RecursionError)  # What malformed files lead to.

def require(holds, message):
    if not holds: raise ValueError(message)

def sha256(*parts): return hashlib.sha256(b''.join(parts)).digest()

def unbase64(text):
    data = base64.b64decode(text, validate=True)
    require(base64.b64encode(data).decode() == text, 'base64 is not canonical')
    return data

def parse(data):
    """Canonical JSON (RFC 8785) alone: no member is there twice. Names in a proof are ASCII, and numbers are integers."""
    value = json.loads(data)
    text = json.dumps(value, sort_keys=True, separators=(',', ':'), ensure_ascii=False)
    require(text.encode() == data, 'JSON is not canonical: save the file byte for byte')
    return value

def require_signed(keys, signature, data, message):
    for key in keys:
        try: return Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
        except InvalidSignature: pass
    raise ValueError(message)

def read_keys(data):
    """Lists (use, key id, 32 bytes, name of the log)."""
    keys = []
    for entry in json.loads(data)['keys']:
        spki = unbase64(entry['public_key'])
        require(spki[:12] == SPKI and len(spki) == 44, 'not an Ed25519 key')
        require(hashlib.sha256(spki).hexdigest() == entry['keyid'], 'a key id is not the hash of its key')
        keys.append((entry['use'], entry['keyid'], spki[12:], entry.get('origin')))
    require(len({key[1] for key in keys}) == len({key[:2] for key in keys}), 'one key has two uses')
    return keys

def root_of(root, index, size, path):
    """The root of a tree from the hash of a leaf (RFC 9162, section 2.1.3.2)."""
    node, last = index, size - 1
    for sibling in path:
        require(last > 0 and len(sibling) == 32, 'the inclusion has another length')
        if node & 1 or node == last:
            root = sha256(b'\1', sibling, root)
            while not node & 1 and node: node, last = node >> 1, last >> 1
        else: root = sha256(b'\1', root, sibling)
        node, last = node >> 1, last >> 1
    require(last == 0, 'the inclusion has another length')
    return root

def verify(data, keys):
    proof = parse(data)
    kind, payload = proof['envelope']['payloadType'], unbase64(proof['envelope']['payload'])
    [signature], log = proof['envelope']['signatures'], proof['log']
    require(kind == 'application/vnd.in-toto+json', 'the payload has another type')
    signed = f'DSSEv1 {len(kind)} {kind} {len(payload)} '.encode() + payload
    issuers = [key for use, keyid, key, _ in keys if use == 'issuer' and keyid == signature['keyid']]
    require_signed(issuers, unbase64(signature['sig']), signed, 'no trusted issuer signed the statement')
    statement = parse(payload)
    require(statement['predicateType'] in STATEMENTS, 'the statement has another type')
    require(statement['predicate']['proof_id'] == proof['proof_id'], 'the statement names another proof')
    note = CHECKPOINT.fullmatch(log['checkpoint'])
    require(note, 'the checkpoint is not origin, size, root and one signature')
    text, origin, size, root, line = note.groups()
    line, index, size = unbase64(line), log['index'], int(size)
    logs = [key for use, _, key, of in keys if use == 'log' and of == origin]
    logs = [key for key in logs if sha256(origin.encode(), b'\n\1', key)[:4] == line[:4]]
    require_signed(logs, line[4:], text.encode(), 'no trusted log signed the checkpoint')
    require([log['origin'], log['tree_size']] == [origin, size], 'the checkpoint is of another log or size')
    require(type(index) is type(log['tree_size']) is int and 0 <= index < size, 'the index is outside the tree')
    path = [unbase64(each) for each in log['inclusion']]
    require(root_of(sha256(b'\0', signed), index, size, path) == unbase64(root), 'the statement is not in the log')
    return f"""VALID: proof {proof['proof_id']}
checked: the signature of issuer {signature['keyid']}, and that the statement names the proof
checked: the signature of log {origin}, and that the statement is leaf {index} of {size}
NOT checked: the verdicts were not recomputed, they are the issuer's word (tollhouse verify-proof --records)
NOT checked: the other members of the statement, and the history of the log (tollhouse verify-proof --checkpoint)
stated: {json.dumps(statement['subject'])}"""

def main(paths):
    try:
        proof, keys = (open(path, 'rb').read(1 << 22) for path in paths)
        keys = read_keys(keys)
    except (OSError, *FAULTS) as fault: return print(f'CANNOT BE USED: {fault!r}', file=sys.stderr) or 2
    try: print(verify(proof, keys))
    except FAULTS as fault: return print(f'NOT VALID: {fault!r}', file=sys.stderr) or 1

if __name__ == '__main__': sys.exit(main(sys.argv[1:]))
