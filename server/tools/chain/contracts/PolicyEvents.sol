// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Older versions announce changes only with the event of the changed value.
abstract contract PolicyEvents {
    event PolicyChanged(address indexed actor, bytes32 indexed policy, bytes32 indexed value, bool enabled);

    function _policyChanged(string memory policy, bytes32 value, bool enabled) internal virtual {}
}
