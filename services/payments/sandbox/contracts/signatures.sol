// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// Checks signatures of accounts and of contract wallets. The errors have the names and arguments of the public contract.
library Signatures {
    error ECDSAInvalidSignature();
    error ECDSAInvalidSignatureLength(uint256 length);
    error ECDSAInvalidSignatureS(bytes32 s);

    /// Half of the curve's order. A signature above it is the twin of one below (malleability).
    uint256 private constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;
    uint256 private constant LENGTH = 65;
    /// The answer of a contract wallet that accepts a signature (ERC-1271).
    bytes4 private constant IS_VALID_SIGNATURE = 0x1626ba7e;

    /// Recovers the signer. Reverts for a malformed signature.
    function recover(bytes32 digest, bytes calldata signature) internal pure returns (address signer) {
        if (signature.length != LENGTH) revert ECDSAInvalidSignatureLength(signature.length);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) revert ECDSAInvalidSignatureS(s);
        signer = _recover(digest, signature);
        if (signer == address(0)) revert ECDSAInvalidSignature();
    }

    /// Whether an account or a contract wallet signed. A malformed signature is a wrong one.
    function isSignedBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signer.code.length > 0) return isAcceptedByWallet(signer, digest, signature);
        if (signature.length != LENGTH || uint256(bytes32(signature[32:64])) > MAX_S) return false;
        address recovered = _recover(digest, signature);
        return recovered != address(0) && recovered == signer;
    }

    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
    }

    /// Whether a contract wallet accepts a signature.
    function isAcceptedByWallet(address wallet, bytes32 digest, bytes memory signature) internal view returns (bool) {
        (bool success, bytes memory answer) =
            wallet.staticcall(abi.encodeWithSelector(IS_VALID_SIGNATURE, digest, signature));
        return success && answer.length >= 32 && bytes32(answer) == bytes32(IS_VALID_SIGNATURE);
    }
}
