// This file is written by `npm run codegen` from openapi/ (x-admin). Do not edit.

export interface AdminRecords {
  /** The field that names a record. */
  readonly title_field: string;
  /** The resource that each reference field refers to. */
  readonly references: Readonly<Record<string, string>>;
}

/** By resource. */
export const adminRecords: Readonly<Record<string, AdminRecords>> = {
  "nodes": {
    "title_field": "name",
    "references": {}
  },
  "gateways": {
    "title_field": "base_domain",
    "references": {}
  },
  "teepods": {
    "title_field": "name",
    "references": {
      "node_id": "nodes",
      "drain_id": "drains",
      "kms_id": "kms"
    }
  },
  "instance-types": {
    "title_field": "id",
    "references": {}
  },
  "templates": {
    "title_field": "name",
    "references": {}
  },
  "monitoring-events": {
    "title_field": "message",
    "references": {}
  },
  "outbox": {
    "title_field": "subject",
    "references": {
      "team_id": "workspaces"
    }
  },
  "instance-events": {
    "title_field": "message",
    "references": {
      "team_id": "workspaces",
      "app_id": "apps",
      "cvm_id": "cvms",
      "actor_id": "users"
    }
  },
  "cvms": {
    "title_field": "name",
    "references": {
      "team_id": "workspaces",
      "app_id": "apps",
      "teepod_id": "teepods",
      "node_id": "nodes",
      "kms_id": "kms",
      "instance_type": "instance-types",
      "created_by": "users",
      "deleted_by": "users"
    }
  },
  "bulk-jobs": {
    "title_field": "id",
    "references": {
      "user_id": "users"
    }
  },
  "views": {
    "title_field": "name",
    "references": {}
  },
  "announcements": {
    "title_field": "title",
    "references": {
      "teepod_id": "teepods",
      "node_id": "nodes",
      "kms_id": "kms",
      "os_image_id": "os-images"
    }
  },
  "queue-workers": {
    "title_field": "name",
    "references": {}
  },
  "queue-jobs": {
    "title_field": "name",
    "references": {
      "queue_id": "queue-workers",
      "team_id": "workspaces",
      "worker_id": "workers"
    }
  },
  "queue-schedules": {
    "title_field": "name",
    "references": {
      "worker_id": "workers"
    }
  },
  "workers": {
    "title_field": "id",
    "references": {}
  },
  "alerts": {
    "title_field": "title",
    "references": {}
  },
  "gpus": {
    "title_field": "name",
    "references": {
      "teepod_id": "teepods",
      "team_id": "workspaces",
      "cvm_id": "cvms"
    }
  },
  "gpu-events": {
    "title_field": "id",
    "references": {
      "gpu_id": "gpus",
      "team_id": "workspaces",
      "cvm_id": "cvms",
      "user_id": "users"
    }
  },
  "duplicate-vms": {
    "title_field": "host_vm_id",
    "references": {
      "teepod_id": "teepods",
      "cvm_id": "cvms",
      "team_id": "workspaces"
    }
  },
  "kms": {
    "title_field": "slug",
    "references": {}
  },
  "kms-contracts": {
    "title_field": "label",
    "references": {
      "kms_id": "kms"
    }
  },
  "users": {
    "title_field": "username",
    "references": {}
  },
  "workspaces": {
    "title_field": "name",
    "references": {
      "owner_id": "users"
    }
  },
  "members": {
    "title_field": "username",
    "references": {
      "team_id": "workspaces",
      "user_id": "users"
    }
  },
  "apps": {
    "title_field": "name",
    "references": {
      "team_id": "workspaces",
      "kms_id": "kms",
      "created_by": "users"
    }
  },
  "usage": {
    "title_field": "name",
    "references": {
      "cvm_id": "cvms",
      "user_id": "users",
      "team_id": "workspaces",
      "app_id": "apps"
    }
  },
  "audit": {
    "title_field": "action",
    "references": {
      "actor_user_id": "users",
      "team_id": "workspaces"
    }
  },
  "audit-destinations": {
    "title_field": "name",
    "references": {}
  },
  "drains": {
    "title_field": "title",
    "references": {
      "teepod_id": "teepods"
    }
  },
  "drain-cvms": {
    "title_field": "name",
    "references": {
      "drain_id": "drains",
      "cvm_id": "cvms",
      "app_id": "apps",
      "team_id": "workspaces"
    }
  },
  "maintenance-windows": {
    "title_field": "reason",
    "references": {
      "node_id": "nodes"
    }
  },
  "os-images": {
    "title_field": "name",
    "references": {}
  },
  "transactions": {
    "title_field": "public_id",
    "references": {
      "team_id": "workspaces"
    }
  },
  "credits": {
    "title_field": "public_id",
    "references": {
      "team_id": "workspaces",
      "created_by": "users"
    }
  },
  "payments": {
    "title_field": "reference",
    "references": {
      "team_id": "workspaces",
      "created_by": "users"
    }
  },
  "invoices": {
    "title_field": "number",
    "references": {
      "team_id": "workspaces",
      "corrects": "invoices"
    }
  },
  "orders": {
    "title_field": "name",
    "references": {
      "team_id": "workspaces",
      "product_id": "order-products",
      "instance_type": "instance-types",
      "payment_id": "payments",
      "cvm_id": "cvms",
      "created_by": "users"
    }
  },
  "order-products": {
    "title_field": "name",
    "references": {
      "instance_type": "instance-types",
      "created_by": "users"
    }
  },
  "promotion-codes": {
    "title_field": "code",
    "references": {
      "created_by": "users"
    }
  },
  "finance-actions": {
    "title_field": "title",
    "references": {
      "team_id": "workspaces",
      "requested_by": "users",
      "decided_by": "users"
    }
  },
  "abuse-reports": {
    "title_field": "app_name",
    "references": {
      "team_id": "workspaces",
      "decided_by": "users"
    }
  },
  "ai-upstreams": {
    "title_field": "name",
    "references": {
      "team_id": "workspaces"
    }
  },
  "ai-gateways": {
    "title_field": "name",
    "references": {
      "team_id": "workspaces",
      "cvm_id": "cvms"
    }
  },
  "ai-models": {
    "title_field": "model",
    "references": {
      "team_id": "workspaces"
    }
  },
  "ai-keys": {
    "title_field": "name",
    "references": {
      "team_id": "workspaces",
      "created_by": "users"
    }
  },
  "ai-usage": {
    "title_field": "id",
    "references": {
      "team_id": "workspaces"
    }
  }
};
