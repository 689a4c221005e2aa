// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// For tests: emits any number of an app's events in one block, and allows nothing of what they say.
contract EventStorm {
    event ComposeHashAdded(bytes32 composeHash);

    function emitAdded(uint256 first, uint256 count) external {
        for (uint256 i = first; i < first + count; i++) emit ComposeHashAdded(bytes32(i));
    }
}
