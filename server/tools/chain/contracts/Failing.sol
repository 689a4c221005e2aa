// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// For tests: fails every call, with a reason unless that is empty, as an app's contract of its owner's own may.
contract Failing {
    string private reason;

    constructor(string memory reason_) {
        reason = reason_;
    }

    fallback() external {
        if (bytes(reason).length == 0) revert();
        revert(reason);
    }
}
