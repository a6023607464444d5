// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// The fixed terms of a channel. Their EIP-712 hash is the channel's id. The order of the fields is part of the interface.
struct ChannelConfig {
    address payer;
    /// Signs vouchers. Zero: the payer itself does, which may be a contract (ERC-1271).
    address payerAuthorizer;
    address receiver;
    /// Authorizes claims and refunds.
    address receiverAuthorizer;
    address token;
    uint40 withdrawDelay;
    bytes32 salt;
}

struct Voucher {
    ChannelConfig channel;
    uint128 maxClaimableAmount;
}

struct VoucherClaim {
    Voucher voucher;
    bytes signature;
    /// The new total of the channel, not an increment. A claim that is sent twice counts once.
    uint128 totalClaimed;
}

/// Moves a deposit from the payer to its caller, the settlement contract.
interface IDepositCollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata collectorData) external;
}

interface IToken {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}
