// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IDepositCollector, IToken} from "./channel-types.sol";

interface IReceivable {
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// Collects deposits that payers authorize with a signature (EIP-3009). Its code is placed by `anvil_setCode`, so the
/// settlement contract's address is a constant instead of an argument of the constructor.
contract Eip3009Collector is IDepositCollector {
    address public constant x402BatchSettlement = 0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003;

    error OnlyX402BatchSettlement();

    /// `collectorData` holds validAfter, validBefore, a salt and the payer's signature. The authorization's nonce is made
    /// from the channel and the salt, so nobody can use the signature for another channel.
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata collectorData)
        external
    {
        if (msg.sender != x402BatchSettlement) revert OnlyX402BatchSettlement();
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(collectorData, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        IReceivable(token).receiveWithAuthorization(payer, address(this), amount, validAfter, validBefore, nonce, signature);
        IToken(token).transfer(x402BatchSettlement, amount);
    }
}
