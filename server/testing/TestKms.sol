// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

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

    function registerApp(address appId) external {
        emit AppRegistered(appId);
    }
}
