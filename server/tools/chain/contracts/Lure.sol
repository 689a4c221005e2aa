// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// For tests: answers every call by sending the caller to a URL (EIP-3668), as a hostile contract would.
contract Lure {
    string private url;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    constructor(string memory url_) {
        url = url_;
    }

    fallback() external {
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(address(this), urls, msg.data, msg.sig, "");
    }
}
