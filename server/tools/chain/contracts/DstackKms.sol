// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {AppBootInfo, IAppAuth, IERC165} from "./AppAuth.sol";
import {DstackApp053} from "./DstackApp.sol";
import {PolicyEvents} from "./PolicyEvents.sol";
import {ERC1967Proxy, Ownable, Ownable2Step, UUPSUpgradeable} from "./Upgradeable.sol";

/// What a KMS asks before it releases keys: which apps exist, which OS images may boot, and which KMS may have the
/// root keys. Also deploys apps.
abstract contract KmsBase is Ownable, UUPSUpgradeable, PolicyEvents, IAppAuth, IERC165 {
    struct KmsInfo {
        bytes k256Pubkey;
        bytes caPubkey;
        bytes quote;
        bytes eventlog;
    }

    event AppRegistered(address appId);
    event AppDeployedViaFactory(address indexed appId, address indexed deployer);
    event AppImplementationSet(address implementation);
    event KmsInfoSet(bytes k256Pubkey);
    event KmsAggregatedMrAdded(bytes32 mrAggregated);
    event KmsAggregatedMrRemoved(bytes32 mrAggregated);
    event KmsDeviceAdded(bytes32 deviceId);
    event KmsDeviceRemoved(bytes32 deviceId);
    event OsImageHashAdded(bytes32 osImageHash);
    event OsImageHashRemoved(bytes32 osImageHash);
    event GatewayAppIdSet(string gatewayAppId);

    KmsInfo public kmsInfo;
    string public gatewayAppId;
    address public appImplementation;
    mapping(address => bool) public registeredApps;
    mapping(bytes32 => bool) public kmsAllowedAggregatedMrs;
    mapping(bytes32 => bool) public kmsAllowedDeviceIds;
    mapping(bytes32 => bool) public allowedOsImages;

    function initialize(address initialOwner, address implementation) external initializer {
        _initializeOwner(initialOwner);
        if (implementation != address(0)) _setAppImplementation(implementation);
    }

    /// Anyone may register a contract of their own: registration alone allows nothing.
    function registerApp(address appId) external {
        _registerApp(appId);
    }

    function setAppImplementation(address implementation) external onlyOwner {
        _setAppImplementation(implementation);
    }

    function setKmsInfo(KmsInfo calldata info) external onlyOwner {
        kmsInfo = info;
        emit KmsInfoSet(info.k256Pubkey);
        _policyChanged("kms-info", keccak256(info.k256Pubkey), true);
    }

    function setKmsQuote(bytes calldata quote) external onlyOwner {
        kmsInfo.quote = quote;
    }

    function setKmsEventlog(bytes calldata eventlog) external onlyOwner {
        kmsInfo.eventlog = eventlog;
    }

    function setGatewayAppId(string calldata appId) external onlyOwner {
        gatewayAppId = appId;
        emit GatewayAppIdSet(appId);
        _policyChanged("gateway-app-id", keccak256(bytes(appId)), true);
    }

    function addKmsAggregatedMr(bytes32 mrAggregated) external onlyOwner {
        kmsAllowedAggregatedMrs[mrAggregated] = true;
        emit KmsAggregatedMrAdded(mrAggregated);
        _policyChanged("kms-aggregated-mr", mrAggregated, true);
    }

    function removeKmsAggregatedMr(bytes32 mrAggregated) external onlyOwner {
        kmsAllowedAggregatedMrs[mrAggregated] = false;
        emit KmsAggregatedMrRemoved(mrAggregated);
        _policyChanged("kms-aggregated-mr", mrAggregated, false);
    }

    function addKmsDevice(bytes32 deviceId) external onlyOwner {
        kmsAllowedDeviceIds[deviceId] = true;
        emit KmsDeviceAdded(deviceId);
        _policyChanged("kms-device", deviceId, true);
    }

    function removeKmsDevice(bytes32 deviceId) external onlyOwner {
        kmsAllowedDeviceIds[deviceId] = false;
        emit KmsDeviceRemoved(deviceId);
        _policyChanged("kms-device", deviceId, false);
    }

    function addOsImageHash(bytes32 osImageHash) external onlyOwner {
        allowedOsImages[osImageHash] = true;
        emit OsImageHashAdded(osImageHash);
        _policyChanged("os-image", osImageHash, true);
    }

    function removeOsImageHash(bytes32 osImageHash) external onlyOwner {
        allowedOsImages[osImageHash] = false;
        emit OsImageHashRemoved(osImageHash);
        _policyChanged("os-image", osImageHash, false);
    }

    function isAppAllowed(AppBootInfo calldata bootInfo) external view returns (bool, string memory) {
        if (!registeredApps[bootInfo.appId]) return (false, "App not registered");
        if (!allowedOsImages[bootInfo.osImageHash]) return (false, "OS image is not allowed");
        if (bootInfo.appId.code.length == 0) return (false, "App not deployed or invalid address");
        return IAppAuth(bootInfo.appId).isAppAllowed(bootInfo);
    }

    function isKmsAllowed(AppBootInfo calldata bootInfo) external view returns (bool, string memory) {
        if (keccak256(bytes(bootInfo.tcbStatus)) != keccak256("UpToDate")) {
            return (false, "TCB status is not up to date");
        }
        if (!allowedOsImages[bootInfo.osImageHash]) return (false, "OS image is not allowed");
        if (!kmsAllowedAggregatedMrs[bootInfo.mrAggregated]) return (false, "Aggregated MR not allowed");
        if (!kmsAllowedDeviceIds[bootInfo.deviceId]) return (false, "KMS is not allowed to boot on this device");
        return (true, "");
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IAppAuth).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    function _deployAndRegister(address initialOwner, bytes memory initialize_) internal returns (address appId) {
        require(appImplementation != address(0), "DstackApp implementation not set");
        require(initialOwner != address(0), "Invalid owner address");
        appId = address(new ERC1967Proxy(appImplementation, initialize_));
        _registerApp(appId);
        emit AppDeployedViaFactory(appId, msg.sender);
    }

    function _authorizeUpgrade(address newImplementation) internal override onlyOwner {
        _policyChanged("implementation-upgrade", bytes32(uint256(uint160(newImplementation))), true);
    }

    function _registerApp(address appId) private {
        require(appId != address(0), "Invalid app ID");
        registeredApps[appId] = true;
        emit AppRegistered(appId);
        _policyChanged("registered-app", bytes32(uint256(uint160(appId))), true);
    }

    function _setAppImplementation(address implementation) private {
        require(implementation != address(0), "Invalid implementation address");
        appImplementation = implementation;
        emit AppImplementationSet(implementation);
        _policyChanged("app-implementation", bytes32(uint256(uint160(implementation))), true);
    }
}

/// As of dstack 0.5.3: its only factory returns the app's address twice.
contract DstackKms053 is KmsBase {
    function deployAndRegisterApp(
        address initialOwner,
        bool disableUpgrades,
        bool allowAnyDevice,
        bytes32 deviceId,
        bytes32 composeHash
    ) external returns (address appId, address proxy) {
        appId = _deployAndRegister(
            initialOwner,
            abi.encodeCall(
                DstackApp053.initialize, (initialOwner, disableUpgrades, allowAnyDevice, deviceId, composeHash)
            )
        );
        proxy = appId;
    }
}

/// As of dstack 0.5.9: apps may require an up-to-date TCB.
contract DstackKms059 is KmsBase {
    function deployAndRegisterApp(
        address initialOwner,
        bool disableUpgrades,
        bool allowAnyDevice,
        bytes32 deviceId,
        bytes32 composeHash
    ) external returns (address) {
        return _deploy(initialOwner, disableUpgrades, false, allowAnyDevice, deviceId, composeHash);
    }

    function deployAndRegisterApp(
        address initialOwner,
        bool disableUpgrades,
        bool requireTcbUpToDate,
        bool allowAnyDevice,
        bytes32 deviceId,
        bytes32 composeHash
    ) external returns (address) {
        return _deploy(initialOwner, disableUpgrades, requireTcbUpToDate, allowAnyDevice, deviceId, composeHash);
    }

    function _deploy(
        address initialOwner,
        bool disableUpgrades,
        bool requireTcbUpToDate,
        bool allowAnyDevice,
        bytes32 deviceId,
        bytes32 composeHash
    ) private returns (address) {
        // The initializer has an overload, so the signature is written out.
        return _deployAndRegister(
            initialOwner,
            abi.encodeWithSignature(
                "initialize(address,bool,bool,bool,bytes32,bytes32)",
                initialOwner,
                disableUpgrades,
                requireTcbUpToDate,
                allowAnyDevice,
                deviceId,
                composeHash
            )
        );
    }
}

/// As of dstack's next version: ownership moves in two steps, and every change has a PolicyChanged event.
contract DstackKms is DstackKms059, Ownable2Step {
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
