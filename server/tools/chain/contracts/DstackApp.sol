// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AppBootInfo, IAppAuth, IAppAuthBasicManagement, IERC165} from "./AppAuth.sol";
import {PolicyEvents} from "./PolicyEvents.sol";
import {Ownable, Ownable2Step, UUPSUpgradeable} from "./Upgradeable.sol";

/// One app's policy: which compose hashes may boot, and on which devices. Clients read slots 0 to 3 directly, so the
/// order of the variables is part of the interface.
abstract contract AppBase is Ownable, UUPSUpgradeable, PolicyEvents, IAppAuth, IAppAuthBasicManagement, IERC165 {
    event AllowAnyDeviceSet(bool allowAny);
    event UpgradesDisabled();

    mapping(bytes32 => bool) public allowedComposeHashes; // slot 0
    bool private _upgradesDisabled; // slot 1, lowest byte
    bool public allowAnyDevice; // slot 1, next byte
    mapping(bytes32 => bool) public allowedDeviceIds; // slot 2

    function _initialize(
        address initialOwner,
        bool disableUpgrades_,
        bool allowAnyDevice_,
        bytes32 deviceId,
        bytes32 composeHash
    ) internal onlyInitializing {
        require(initialOwner != address(0), "invalid owner address");
        _initializeOwner(initialOwner);
        // Flags have no event here, lists do.
        _upgradesDisabled = disableUpgrades_;
        allowAnyDevice = allowAnyDevice_;
        if (deviceId != 0) _setDevice(deviceId, true);
        if (composeHash != 0) _setComposeHash(composeHash, true);
    }

    function addComposeHash(bytes32 composeHash) external onlyOwner {
        _setComposeHash(composeHash, true);
    }

    function removeComposeHash(bytes32 composeHash) external onlyOwner {
        _setComposeHash(composeHash, false);
    }

    function addDevice(bytes32 deviceId) external onlyOwner {
        _setDevice(deviceId, true);
    }

    function removeDevice(bytes32 deviceId) external onlyOwner {
        _setDevice(deviceId, false);
    }

    function setAllowAnyDevice(bool allowAny) external onlyOwner {
        allowAnyDevice = allowAny;
        emit AllowAnyDeviceSet(allowAny);
        _policyChanged("allow-any-device", 0, allowAny);
    }

    function disableUpgrades() external onlyOwner {
        _upgradesDisabled = true;
        emit UpgradesDisabled();
        _policyChanged("upgrades-disabled", 0, true);
    }

    function isAppAllowed(AppBootInfo calldata bootInfo) external view returns (bool, string memory) {
        if (!_isTcbAllowed(bootInfo.tcbStatus)) return (false, "TCB status is not up to date");
        if (!allowedComposeHashes[bootInfo.composeHash]) return (false, "Compose hash not allowed");
        if (!allowAnyDevice && !allowedDeviceIds[bootInfo.deviceId]) return (false, "Device not allowed");
        return (true, "");
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IAppAuth).interfaceId || interfaceId == type(IAppAuthBasicManagement).interfaceId
            || interfaceId == type(IERC165).interfaceId;
    }

    function _isTcbAllowed(string calldata) internal view virtual returns (bool) {
        return true;
    }

    function _authorizeUpgrade(address newImplementation) internal override onlyOwner {
        require(!_upgradesDisabled, "Upgrades are permanently disabled");
        _policyChanged("implementation-upgrade", bytes32(uint256(uint160(newImplementation))), true);
    }

    function _setComposeHash(bytes32 composeHash, bool allowed) private {
        allowedComposeHashes[composeHash] = allowed;
        if (allowed) emit ComposeHashAdded(composeHash);
        else emit ComposeHashRemoved(composeHash);
        _policyChanged("compose-hash", composeHash, allowed);
    }

    function _setDevice(bytes32 deviceId, bool allowed) private {
        allowedDeviceIds[deviceId] = allowed;
        if (allowed) emit DeviceAdded(deviceId);
        else emit DeviceRemoved(deviceId);
        _policyChanged("device", deviceId, allowed);
    }
}

/// As of dstack 0.5.3: no TCB flag, no version, and ownership moves in one step.
contract DstackApp053 is AppBase {
    function initialize(
        address initialOwner,
        bool disableUpgrades_,
        bool allowAnyDevice_,
        bytes32 deviceId,
        bytes32 composeHash
    ) external initializer {
        _initialize(initialOwner, disableUpgrades_, allowAnyDevice_, deviceId, composeHash);
    }
}

/// As of dstack 0.5.9: may require an up-to-date TCB.
contract DstackApp059 is AppBase {
    event RequireTcbUpToDateSet(bool requireUpToDate);

    bool public requireTcbUpToDate; // slot 3

    function version() external pure returns (uint256) {
        return 2;
    }

    function initialize(
        address initialOwner,
        bool disableUpgrades_,
        bool allowAnyDevice_,
        bytes32 deviceId,
        bytes32 composeHash
    ) external initializer {
        _initialize(initialOwner, disableUpgrades_, allowAnyDevice_, deviceId, composeHash);
    }

    function initialize(
        address initialOwner,
        bool disableUpgrades_,
        bool requireTcbUpToDate_,
        bool allowAnyDevice_,
        bytes32 deviceId,
        bytes32 composeHash
    ) external initializer {
        _initialize(initialOwner, disableUpgrades_, allowAnyDevice_, deviceId, composeHash);
        requireTcbUpToDate = requireTcbUpToDate_;
    }

    function setRequireTcbUpToDate(bool requireUpToDate) external onlyOwner {
        requireTcbUpToDate = requireUpToDate;
        emit RequireTcbUpToDateSet(requireUpToDate);
        _policyChanged("require-tcb-up-to-date", 0, requireUpToDate);
    }

    function _isTcbAllowed(string calldata status) internal view override returns (bool) {
        return !requireTcbUpToDate || keccak256(bytes(status)) == keccak256("UpToDate");
    }
}

/// As of dstack's next version: ownership moves in two steps, and every change has a PolicyChanged event.
contract DstackApp is DstackApp059, Ownable2Step {
    function transferOwnership(address newOwner) public override(Ownable, Ownable2Step) {
        super.transferOwnership(newOwner);
    }

    function _setOwner(address newOwner) internal override(Ownable, Ownable2Step) {
        super._setOwner(newOwner);
    }

    function _policyChanged(string memory policy, bytes32 value, bool enabled) internal override {
        emit PolicyChanged(msg.sender, keccak256(bytes(policy)), value, enabled);
    }
}
