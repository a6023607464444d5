// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ChannelConfig, IDepositCollector, IToken, VoucherClaim} from "./channel-types.sol";
import {Signatures} from "./signatures.sol";

/// Payment channels of the x402 scheme `batch-settlement`, for the payment sandbox. It has the interface and the effects
/// of the public contract. Its code is placed by `anvil_setCode`, so no constructor runs and all settings are constants.
///
/// A payer deposits tokens into a channel and signs vouchers off chain. The receiver's side claims them, which changes
/// only the books, and `settle` then sends everything that was claimed to the receiver.
contract BatchSettlement {
    using Signatures for bytes32;
    using Signatures for address;

    string private constant NAME = "x402 Batch Settlement";
    string private constant VERSION = "1";

    uint40 public constant MIN_WITHDRAW_DELAY = 15 minutes;
    uint40 public constant MAX_WITHDRAW_DELAY = 30 days;

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 public constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 public constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 public constant CLAIM_ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 public constant CLAIM_BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );

    struct Channel {
        /// Deposits less refunds and withdrawals. Claims do not reduce it.
        uint128 balance;
        uint128 claimed;
        uint128 withdrawalAmount;
        /// Unix seconds; zero while no withdrawal is pending.
        uint40 withdrawalStartedAt;
        uint256 refundNonce;
    }

    struct ReceiverTotals {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    mapping(bytes32 channelId => Channel) private _channels;
    mapping(address receiver => mapping(address token => ReceiverTotals)) public receivers;
    bool private transient _isEntered;

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error InvalidChannel();
    error WithdrawDelayOutOfRange();
    error ZeroDeposit();
    error InvalidCollector();
    error DepositOverflow();
    error DepositCollectionFailed();
    error EmptyBatch();
    error NotAuthorizedToClaim();
    error NotReceiverAuthorizer();
    error ClaimExceedsCeiling();
    error ClaimExceedsBalance();
    error InvalidSignature();
    error NothingToWithdraw();
    error WithdrawalAlreadyPending();
    error WithdrawAmountExceedsAvailable();
    error NotAuthorizedToFinalizeWithdraw();
    error WithdrawalNotPending();
    error WithdrawDelayNotElapsed();
    error NotAuthorizedToRefund();
    error InvalidRefundNonce();
    error ZeroRefund();
    error ReentrancyGuardReentrantCall();
    error SafeERC20FailedOperation(address token);
    error FailedCall();

    modifier nonReentrant() {
        if (_isEntered) revert ReentrancyGuardReentrantCall();
        _isEntered = true;
        _;
        _isEntered = false;
    }

    // Deposits

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData)
        external
        nonReentrant
    {
        _requireUsable(config);
        if (amount == 0) revert ZeroDeposit();
        if (collector == address(0)) revert InvalidCollector();
        bytes32 channelId = getChannelId(config);
        Channel storage channel = _channels[channelId];
        uint128 before = channel.balance;
        if (amount > type(uint128).max - before) revert DepositOverflow();
        channel.balance = before + amount;
        _collect(config, amount, channelId, collector, collectorData);
        if (before == 0 && channel.claimed == 0) emit ChannelCreated(channelId, config);
        emit Deposited(channelId, msg.sender, amount, channel.balance);
    }

    function _requireUsable(ChannelConfig calldata config) private pure {
        bool isComplete = config.payer != address(0) && config.receiver != address(0)
            && config.receiverAuthorizer != address(0) && config.token != address(0);
        if (!isComplete) revert InvalidChannel();
        if (config.withdrawDelay < MIN_WITHDRAW_DELAY || config.withdrawDelay > MAX_WITHDRAW_DELAY) {
            revert WithdrawDelayOutOfRange();
        }
    }

    /// Anyone may choose the collector, so only the change of the balance counts.
    function _collect(
        ChannelConfig calldata config, uint128 amount, bytes32 channelId, address collector, bytes calldata collectorData
    ) private {
        IToken token = IToken(config.token);
        uint256 expected = token.balanceOf(address(this)) + amount;
        IDepositCollector(collector).collect(config.payer, config.token, amount, channelId, collectorData);
        if (token.balanceOf(address(this)) != expected) revert DepositCollectionFailed();
    }

    // Claims and settlement

    function claim(VoucherClaim[] calldata voucherClaims) external nonReentrant {
        if (voucherClaims.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            if (!_isOfReceiver(voucherClaims[i].voucher.channel)) revert NotAuthorizedToClaim();
            _claim(voucherClaims[i]);
        }
    }

    /// The signature is that of the `receiverAuthorizer` of all rows.
    function claimWithSignature(VoucherClaim[] calldata voucherClaims, bytes calldata authorizerSignature)
        external
        nonReentrant
    {
        if (voucherClaims.length == 0) revert EmptyBatch();
        address authorizer = voucherClaims[0].voucher.channel.receiverAuthorizer;
        if (!authorizer.isSignedBy(getClaimBatchDigest(voucherClaims), authorizerSignature)) revert InvalidSignature();
        for (uint256 i = 0; i < voucherClaims.length; i++) {
            if (voucherClaims[i].voucher.channel.receiverAuthorizer != authorizer) revert NotReceiverAuthorizer();
            _claim(voucherClaims[i]);
        }
    }

    /// Raises the channel's claimed total. A row that raises nothing is skipped before it is checked.
    function _claim(VoucherClaim calldata row) private {
        ChannelConfig calldata config = row.voucher.channel;
        bytes32 channelId = getChannelId(config);
        Channel storage channel = _channels[channelId];
        uint128 total = row.totalClaimed;
        if (total <= channel.claimed) return;
        if (total > row.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
        if (total > channel.balance) revert ClaimExceedsBalance();
        bytes32 digest = getVoucherDigest(channelId, row.voucher.maxClaimableAmount);
        if (!_isSignedByPayer(config, digest, row.signature)) revert InvalidSignature();
        uint128 raised = total - channel.claimed;
        channel.claimed = total;
        receivers[config.receiver][config.token].totalClaimed += raised;
        emit Claimed(channelId, msg.sender, raised, total);
    }

    function _isSignedByPayer(ChannelConfig calldata config, bytes32 digest, bytes calldata signature)
        private
        view
        returns (bool)
    {
        if (config.payerAuthorizer == address(0)) return config.payer.isSignedBy(digest, signature);
        return digest.recover(signature) == config.payerAuthorizer;
    }

    /// Sends the receiver everything that was claimed and not sent yet.
    function settle(address receiver, address token) external nonReentrant {
        ReceiverTotals storage totals = receivers[receiver][token];
        uint128 amount = totals.totalClaimed - totals.totalSettled;
        if (amount == 0) return;
        totals.totalSettled = totals.totalClaimed;
        _send(token, receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    // Withdrawals by the payer

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        if (!_isOfPayer(config)) revert InvalidChannel();
        if (amount == 0) revert NothingToWithdraw();
        bytes32 channelId = getChannelId(config);
        Channel storage channel = _channels[channelId];
        if (channel.withdrawalStartedAt != 0) revert WithdrawalAlreadyPending();
        if (amount > _available(channel)) revert WithdrawAmountExceedsAvailable();
        channel.withdrawalAmount = amount;
        channel.withdrawalStartedAt = uint40(block.timestamp);
        emit WithdrawInitiated(channelId, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    /// Pays what is still available. Claims that came during the delay have priority.
    function finalizeWithdraw(ChannelConfig calldata config) external nonReentrant {
        if (!_isOfPayer(config)) revert NotAuthorizedToFinalizeWithdraw();
        bytes32 channelId = getChannelId(config);
        Channel storage channel = _channels[channelId];
        if (channel.withdrawalStartedAt == 0) revert WithdrawalNotPending();
        if (block.timestamp < uint256(channel.withdrawalStartedAt) + config.withdrawDelay) {
            revert WithdrawDelayNotElapsed();
        }
        uint128 amount = _least(channel.withdrawalAmount, _available(channel));
        _endWithdrawal(channel);
        channel.balance -= amount;
        emit WithdrawFinalized(channelId, msg.sender, amount);
        _noteIfEmpty(channelId, channel, config);
        if (amount > 0) _send(config.token, config.payer, amount);
    }

    // Refunds by the receiver's side

    function refund(ChannelConfig calldata config, uint128 amount) external nonReentrant {
        if (!_isOfReceiver(config)) revert NotAuthorizedToRefund();
        _refund(config, getChannelId(config), amount);
    }

    function refundWithSignature(
        ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata receiverAuthorizerSignature
    ) external nonReentrant {
        bytes32 channelId = getChannelId(config);
        if (nonce != _channels[channelId].refundNonce) revert InvalidRefundNonce();
        bytes32 digest = getRefundDigest(channelId, nonce, amount);
        if (!config.receiverAuthorizer.isSignedBy(digest, receiverAuthorizerSignature)) revert InvalidSignature();
        _refund(config, channelId, amount);
    }

    /// Uses up the nonce even if nothing is left to refund. Otherwise a signature could be kept for a later deposit.
    function _refund(ChannelConfig calldata config, bytes32 channelId, uint128 requested) private {
        if (requested == 0) revert ZeroRefund();
        Channel storage channel = _channels[channelId];
        channel.refundNonce++;
        uint128 amount = _least(requested, _available(channel));
        if (amount == 0) return;
        channel.balance -= amount;
        // A refund counts toward a pending withdrawal.
        if (amount >= channel.withdrawalAmount) _endWithdrawal(channel);
        else channel.withdrawalAmount -= amount;
        emit Refunded(channelId, msg.sender, amount);
        _noteIfEmpty(channelId, channel, config);
        _send(config.token, config.payer, amount);
    }

    // Several calls in one transaction

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory answer) = address(this).delegatecall(data[i]);
            if (!success) _revertWith(answer);
            results[i] = answer;
        }
    }

    function _revertWith(bytes memory reason) private pure {
        if (reason.length == 0) revert FailedCall();
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    // Views

    function channels(bytes32 channelId) external view returns (uint128 balance, uint128 totalClaimed) {
        Channel storage channel = _channels[channelId];
        return (channel.balance, channel.claimed);
    }

    function pendingWithdrawals(bytes32 channelId) external view returns (uint128 amount, uint40 initiatedAt) {
        Channel storage channel = _channels[channelId];
        return (channel.withdrawalAmount, channel.withdrawalStartedAt);
    }

    function refundNonce(bytes32 channelId) external view returns (uint256) {
        return _channels[channelId].refundNonce;
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return _digestOf(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return _digestOf(keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return _digestOf(keccak256(abi.encode(REFUND_TYPEHASH, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata voucherClaims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](voucherClaims.length);
        for (uint256 i = 0; i < entries.length; i++) {
            VoucherClaim calldata row = voucherClaims[i];
            bytes32 channelId = getChannelId(row.voucher.channel);
            entries[i] = keccak256(
                abi.encode(CLAIM_ENTRY_TYPEHASH, channelId, row.voucher.maxClaimableAmount, row.totalClaimed)
            );
        }
        return _digestOf(keccak256(abi.encode(CLAIM_BATCH_TYPEHASH, keccak256(abi.encodePacked(entries)))));
    }

    /// The domain of all signatures (EIP-5267). 0x0f: it has a name, a version, a chain id and a contract.
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields, string memory name, string memory version, uint256 chainId, address verifyingContract,
            bytes32 salt, uint256[] memory extensions
        )
    {
        return (hex"0f", NAME, VERSION, block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function _digestOf(bytes32 structHash) private view returns (bytes32) {
        bytes32 domainSeparator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(NAME)),
                keccak256(bytes(VERSION)),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domainSeparator, structHash));
    }

    // Helpers

    function _isOfPayer(ChannelConfig calldata config) private view returns (bool) {
        return msg.sender == config.payer || msg.sender == config.payerAuthorizer;
    }

    function _isOfReceiver(ChannelConfig calldata config) private view returns (bool) {
        return msg.sender == config.receiver || msg.sender == config.receiverAuthorizer;
    }

    function _available(Channel storage channel) private view returns (uint128) {
        return channel.balance - channel.claimed;
    }

    function _least(uint128 a, uint128 b) private pure returns (uint128) {
        return a < b ? a : b;
    }

    function _endWithdrawal(Channel storage channel) private {
        channel.withdrawalAmount = 0;
        channel.withdrawalStartedAt = 0;
    }

    function _noteIfEmpty(bytes32 channelId, Channel storage channel, ChannelConfig calldata config) private {
        if (channel.balance == 0 && channel.claimed == 0) emit ChannelClosed(channelId, config);
    }

    /// Some tokens return false instead of reverting, and some return nothing.
    function _send(address token, address to, uint128 amount) private {
        (bool success, bytes memory answer) = token.call(abi.encodeCall(IToken.transfer, (to, amount)));
        if (!success && answer.length > 0) _revertWith(answer);
        bool isDone = success && (answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool)));
        if (!isDone) revert SafeERC20FailedOperation(token);
    }
}
