// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

struct AppBootInfo {
    address appId;
    bytes32 composeHash;
    address instanceId;
    bytes32 deviceId;
    bytes32 mrAggregated;
    bytes32 mrSystem;
    bytes32 osImageHash;
    string tcbStatus;
    string[] advisoryIds;
}

/// Answers as dstack's contract of one app does.
contract TestApp {
    bool public requireTcbUpToDate = true;
    mapping(bytes32 => bool) public allowedComposeHashes;
    mapping(bytes32 => bool) public allowedDeviceIds;

    function allow(bytes32 composeHash, bytes32 deviceId) external {
        allowedComposeHashes[composeHash] = true;
        allowedDeviceIds[deviceId] = true;
    }

    function isAppAllowed(AppBootInfo calldata info) external view returns (bool, string memory) {
        if (requireTcbUpToDate && keccak256(bytes(info.tcbStatus)) != keccak256("UpToDate"))
            return (false, "TCB status is not up to date");
        if (!allowedComposeHashes[info.composeHash]) return (false, "Compose hash not allowed");
        if (!allowedDeviceIds[info.deviceId]) return (false, "Device not allowed");
        return (true, "");
    }
}

/// Answers as dstack's KMS contract does to those who read it. Anybody may change it: it is for tests.
contract TestKms {
    struct KmsInfo {
        bytes k256Pubkey;
        bytes caPubkey;
        bytes quote;
        bytes eventlog;
    }

    event OsImageHashAdded(bytes32 osImageHash);
    event OsImageHashRemoved(bytes32 osImageHash);
    event KmsAggregatedMrAdded(bytes32 mrAggregated);
    event KmsDeviceAdded(bytes32 deviceId);
    event AppRegistered(address appId);

    address public owner = msg.sender;
    address public pendingOwner;
    address public appImplementation;
    string public gatewayAppId;
    KmsInfo public kmsInfo;
    mapping(bytes32 => bool) public allowedOsImages;
    mapping(bytes32 => bool) public kmsAllowedAggregatedMrs;
    mapping(bytes32 => bool) public kmsAllowedDeviceIds;

    function setKmsInfo(KmsInfo calldata info) external {
        kmsInfo = info;
    }

    function setGatewayAppId(string calldata id) external {
        gatewayAppId = id;
    }

    function setAppImplementation(address implementation) external {
        appImplementation = implementation;
    }

    function transferOwnership(address to) external {
        owner = to;
    }

    function addOsImageHash(bytes32 hash) external {
        allowedOsImages[hash] = true;
        emit OsImageHashAdded(hash);
    }

    function removeOsImageHash(bytes32 hash) external {
        allowedOsImages[hash] = false;
        emit OsImageHashRemoved(hash);
    }

    function addKmsAggregatedMr(bytes32 mr) external {
        kmsAllowedAggregatedMrs[mr] = true;
        emit KmsAggregatedMrAdded(mr);
    }

    function addKmsDevice(bytes32 id) external {
        kmsAllowedDeviceIds[id] = true;
        emit KmsDeviceAdded(id);
    }

    mapping(address => bool) public registeredApps;

    function registerApp(address appId) public {
        registeredApps[appId] = true;
        emit AppRegistered(appId);
    }

    /// The first is made at this contract's nonce 1, so its address is known before.
    function deployAndRegisterApp(bytes32 composeHash, bytes32 deviceId) external {
        TestApp app = new TestApp();
        app.allow(composeHash, deviceId);
        registerApp(address(app));
    }

    function isAppAllowed(AppBootInfo calldata info) external view returns (bool, string memory) {
        if (!registeredApps[info.appId]) return (false, "App not registered");
        if (!allowedOsImages[info.osImageHash]) return (false, "OS image is not allowed");
        if (info.appId.code.length == 0) return (false, "App not deployed or invalid address");
        return TestApp(info.appId).isAppAllowed(info);
    }
}
