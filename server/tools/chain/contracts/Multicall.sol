// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// For tests: the one function of Multicall3 that clients use where a network has it at its well-known address.
contract Multicall {
    struct Call {
        address target;
        bool allowFailure;
        bytes callData;
    }
    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || calls[i].allowFailure, "Multicall3: call failed");
        }
    }
}
