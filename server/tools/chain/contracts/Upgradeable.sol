// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

// Proxies and their implementations. State is in namespaced slots (ERC-7201), as in OpenZeppelin's contracts, so that a
// contract's own variables start at slot 0.

error AddressEmptyCode(address target);
error ERC1967InvalidImplementation(address implementation);
error FailedCall();

// keccak256("eip1967.proxy.implementation") - 1
bytes32 constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

event Upgraded(address indexed implementation);

function upgradeTo(address implementation, bytes memory data) {
    if (implementation.code.length == 0) revert ERC1967InvalidImplementation(implementation);
    assembly {
        sstore(IMPLEMENTATION_SLOT, implementation)
    }
    emit Upgraded(implementation);
    if (data.length == 0) return;
    (bool done, bytes memory result) = implementation.delegatecall(data);
    if (done) return;
    if (result.length == 0) revert FailedCall();
    assembly {
        revert(add(result, 32), mload(result))
    }
}

contract ERC1967Proxy {
    constructor(address implementation, bytes memory data) payable {
        upgradeTo(implementation, data);
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(IMPLEMENTATION_SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}

abstract contract Initializable {
    error InvalidInitialization();
    error NotInitializing();

    event Initialized(uint64 version);

    struct InitializableState {
        uint64 version;
        bool running;
    }

    constructor() {
        // An implementation is only code: nobody may initialize it and become its owner.
        _initializable().version = type(uint64).max;
        emit Initialized(type(uint64).max);
    }

    modifier initializer() {
        InitializableState storage state = _initializable();
        if (state.version != 0) revert InvalidInitialization();
        state.version = 1;
        state.running = true;
        _;
        state.running = false;
        emit Initialized(1);
    }

    modifier onlyInitializing() {
        if (!_initializable().running) revert NotInitializing();
        _;
    }

    function _initializable() private pure returns (InitializableState storage state) {
        bytes32 slot = namespaced("openzeppelin.storage.Initializable");
        assembly {
            state.slot := slot
        }
    }
}

function namespaced(string memory name) pure returns (bytes32) {
    return keccak256(abi.encode(uint256(keccak256(bytes(name))) - 1)) & ~bytes32(uint256(0xff));
}

/// A transfer takes effect immediately.
abstract contract Ownable is Initializable {
    error OwnableUnauthorizedAccount(address account);
    error OwnableInvalidOwner(address owner);

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    struct OwnableState {
        address owner;
    }

    modifier onlyOwner() {
        if (msg.sender != owner()) revert OwnableUnauthorizedAccount(msg.sender);
        _;
    }

    function owner() public view returns (address) {
        return _ownable().owner;
    }

    function transferOwnership(address newOwner) public virtual onlyOwner {
        if (newOwner == address(0)) revert OwnableInvalidOwner(newOwner);
        _setOwner(newOwner);
    }

    function renounceOwnership() external onlyOwner {
        _setOwner(address(0));
    }

    function _initializeOwner(address initialOwner) internal onlyInitializing {
        if (initialOwner == address(0)) revert OwnableInvalidOwner(initialOwner);
        _setOwner(initialOwner);
    }

    function _setOwner(address newOwner) internal virtual {
        OwnableState storage state = _ownable();
        address previous = state.owner;
        state.owner = newOwner;
        emit OwnershipTransferred(previous, newOwner);
    }

    function _ownable() private pure returns (OwnableState storage state) {
        bytes32 slot = namespaced("openzeppelin.storage.Ownable");
        assembly {
            state.slot := slot
        }
    }
}

/// A transfer takes effect when the new owner accepts it.
abstract contract Ownable2Step is Ownable {
    event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);

    struct Ownable2StepState {
        address pendingOwner;
    }

    function pendingOwner() public view returns (address) {
        return _ownable2Step().pendingOwner;
    }

    /// Zero withdraws the offer.
    function transferOwnership(address newOwner) public virtual override onlyOwner {
        _ownable2Step().pendingOwner = newOwner;
        emit OwnershipTransferStarted(owner(), newOwner);
    }

    function acceptOwnership() external {
        if (pendingOwner() != msg.sender) revert OwnableUnauthorizedAccount(msg.sender);
        _setOwner(msg.sender);
    }

    function _setOwner(address newOwner) internal virtual override {
        delete _ownable2Step().pendingOwner;
        super._setOwner(newOwner);
    }

    function _ownable2Step() private pure returns (Ownable2StepState storage state) {
        bytes32 slot = namespaced("openzeppelin.storage.Ownable2Step");
        assembly {
            state.slot := slot
        }
    }
}

abstract contract UUPSUpgradeable {
    error UUPSUnauthorizedCallContext();
    error UUPSUnsupportedProxiableUUID(bytes32 slot);

    string public constant UPGRADE_INTERFACE_VERSION = "5.0.0";
    address private immutable _self = address(this);

    function proxiableUUID() external view returns (bytes32) {
        if (address(this) != _self) revert UUPSUnauthorizedCallContext();
        return IMPLEMENTATION_SLOT;
    }

    function upgradeToAndCall(address newImplementation, bytes calldata data) external payable {
        address current;
        assembly {
            current := sload(IMPLEMENTATION_SLOT)
        }
        if (address(this) == _self || current != _self) revert UUPSUnauthorizedCallContext();
        _authorizeUpgrade(newImplementation);
        if (newImplementation.code.length == 0) revert ERC1967InvalidImplementation(newImplementation);
        try UUPSUpgradeable(newImplementation).proxiableUUID() returns (bytes32 slot) {
            if (slot != IMPLEMENTATION_SLOT) revert UUPSUnsupportedProxiableUUID(slot);
        } catch {
            revert ERC1967InvalidImplementation(newImplementation);
        }
        upgradeTo(newImplementation, data);
    }

    function _authorizeUpgrade(address newImplementation) internal virtual;
}
