// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

/** By the name of the version, which is its day. */
export const apiVersions: Readonly<
  Record<string, { summary: string; changes: readonly { operations: readonly string[]; change: string }[] }>
> = {
  "2026-06-23": {
    "summary": "Key management is described by contracts.",
    "changes": [
      {
        "operations": [
          "listKms"
        ],
        "change": "Lists contracts, which are the services that share a root key. `url` and `version` of each service are in `GET /kms/{kms}/nodes`. `contract_address` replaces `kms_contract_address`, `chain_id` is 0 instead of null where no chain governs the keys, and `gateway_app_id` is gone."
      },
      {
        "operations": [
          "getKms"
        ],
        "change": "Returns the contract instead of the service, in the same shape."
      }
    ]
  },
  "2026-05-22": {
    "summary": "Every identifier of a CVM is text.",
    "changes": [
      {
        "operations": [
          "createCvm",
          "createCvmReplica",
          "commitCvmReplica",
          "startCvm",
          "stopCvm",
          "shutdownCvm",
          "restartCvm"
        ],
        "change": "`id` is the `cvm_…` ID. The number that it was is in `numeric_id`."
      },
      {
        "operations": [
          "createAppInstance"
        ],
        "change": "Returns the CVM in the shape of getCvm, with `manifest_version` and `correlation_id`."
      },
      {
        "operations": [
          "updateCvmVisibility"
        ],
        "change": "Returns the CVM in the shape of getCvm. Until then it had the flat shape of 2025-10-28."
      },
      {
        "operations": [
          "refreshCvmInstanceId",
          "refreshCvmInstanceIds",
          "checkCvmIsAllowed",
          "checkAppIsAllowed",
          "checkAppCvmsIsAllowed"
        ],
        "change": "`cvm_id` is the `cvm_…` ID instead of a number."
      },
      {
        "operations": [
          "getAppDeviceAllowlist"
        ],
        "change": "`cvm_ids` of a device are `cvm_…` IDs instead of numbers."
      }
    ]
  },
  "2026-01-21": {
    "summary": "Users, teams and CVMs are nested objects.",
    "changes": [
      {
        "operations": [
          "getCurrentUser"
        ],
        "change": "`user`, `workspace` and `credits` are objects, and amounts are decimal text instead of numbers."
      },
      {
        "operations": [
          "getCvm"
        ],
        "change": "Size and price are in `resource`, with memory in GB; the image is in `os`, log URLs in `logs`, the gateway in `gateway`. `id` is the `cvm_…` ID. A CVM whose host no longer lists it has the status `lost` instead of `error`."
      },
      {
        "operations": [
          "listCvmsPaginated",
          "listAppCvms"
        ],
        "change": "Items have the shape of getCvm; `hosted`, `managed_user` and `node` are gone."
      },
      {
        "operations": [
          "getApp",
          "listApps"
        ],
        "change": "`current_cvm` and `cvms` have the shape of lists."
      }
    ]
  },
  "2025-10-28": {
    "summary": "The oldest version that this server supports.",
    "changes": []
  }
};
