// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.

export const permissions = {
  "public": {
    "roles": [
      "public"
    ],
    "description": "Anyone, signed in or not."
  },
  "signed_in": {
    "roles": [
      "signed_in"
    ],
    "description": "Any session or token."
  },
  "account.read": {
    "roles": [
      "signed_in"
    ],
    "scope": "user:profile",
    "description": "Read your account."
  },
  "account.write": {
    "roles": [
      "signed_in"
    ],
    "scope": "session",
    "description": "Change your account and approve logins. Session only; tokens are refused."
  },
  "ssh_keys.read": {
    "roles": [
      "signed_in"
    ],
    "scope": "user:profile",
    "description": "Read your SSH keys."
  },
  "ssh_keys.write": {
    "roles": [
      "signed_in"
    ],
    "scope": "user:profile",
    "description": "Add and remove your SSH keys."
  },
  "teams.create": {
    "roles": [
      "signed_in"
    ],
    "scope": "session",
    "description": "Create a team."
  },
  "team.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner"
    ],
    "scope": "user:profile",
    "description": "Read the team, its limits and its members."
  },
  "team.members": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Invite, remove and change the roles of members."
  },
  "team.settings": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Rename the team and change its settings."
  },
  "team.security": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Require two-factor authentication and configure single sign-on."
  },
  "team.delete": {
    "roles": [
      "owner"
    ],
    "scope": "session",
    "description": "Transfer or delete the team."
  },
  "team.audit": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "audit:read",
    "description": "Read and export the audit log."
  },
  "tokens.read": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "View API tokens. Admins and owners see every member's."
  },
  "tokens.write": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Create API tokens and revoke your own. Admins and owners can revoke any."
  },
  "nodes.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner"
    ],
    "scope": "nodes:*",
    "description": "View the hosts available to the team."
  },
  "catalogue.read": {
    "roles": [
      "signed_in",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "description": "Read images and key management services."
  },
  "apps.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Read apps and their revisions."
  },
  "cvms.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Read CVMs, operations and events."
  },
  "cvms.logs": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner",
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Read logs. Log URLs carry a signed token, issued only with this permission."
  },
  "cvms.write": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "cvms:*",
    "description": "Deploy, change and delete CVMs."
  },
  "cvms.give_up": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "cvms:*",
    "description": "Give up a lost CVM's disk and start with an empty one."
  },
  "cvms.operate": {
    "roles": [
      "member",
      "admin",
      "owner",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "cvms:*",
    "description": "Start, stop and restart CVMs, and cancel operations in progress."
  },
  "secrets.copy": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Keep backup copies of secrets in your vault, which the server can't open."
  },
  "templates.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner"
    ],
    "scope": "cvms:*",
    "description": "View the team's own templates."
  },
  "templates.write": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "cvms:*",
    "description": "Create, change and delete the team's own templates."
  },
  "webhooks.read": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "webhooks:*",
    "description": "View webhooks and their deliveries."
  },
  "webhooks.write": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "webhooks:*",
    "description": "Create, change, test and delete webhooks."
  },
  "webhooks.secret": {
    "roles": [
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Reveal and rotate webhook secrets."
  },
  "admin.infra.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read nodes, teepods and the catalog in the admin area."
  },
  "admin.infra.write": {
    "roles": [
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Change nodes and teepods."
  },
  "admin.catalogue.write": {
    "roles": [
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Change instance types, prices and templates."
  },
  "admin.system.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read stored error reports."
  },
  "admin.announcements.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read announcements and their audiences."
  },
  "admin.announcements.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Write, publish and end announcements."
  },
  "admin.abuse.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read reports about published apps."
  },
  "admin.abuse.write": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Decide reports about published apps, and remove apps from public lists."
  },
  "admin.queues.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read queues, schedules, processes and alerts."
  },
  "admin.queues.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Retry and cancel queue items."
  },
  "admin.log_level.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Change the log level of the running processes."
  },
  "admin.chat.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "View the chat bot and its linked chats."
  },
  "admin.chat.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Configure the chat bot, link chats and acknowledge alerts."
  },
  "admin.outbox.read": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read queued email, including the links it contains."
  },
  "admin.outbox.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Resend mail from the outbox."
  },
  "admin.cvms.read": {
    "roles": [
      "platform:support",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read every team's CVMs and their history."
  },
  "admin.cvms.write": {
    "roles": [
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Start, stop and restart any team's CVMs."
  },
  "admin.ai_gateways.tokens": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Issue tokens of AI gateways, with which they read the API keys of upstreams."
  },
  "admin.bulk.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read bulk jobs on resources you can list."
  },
  "admin.bulk.write": {
    "roles": [
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Run an action you are allowed to take on many rows."
  },
  "admin.views.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:read",
    "description": "Read your saved views of admin lists and shared ones."
  },
  "admin.views.write": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "admin:*",
    "description": "Save, share and remove your views of admin lists."
  },
  "admin.users.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:infra",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read users, teams, memberships and apps."
  },
  "admin.users.pii": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:admin"
    ],
    "scope": "session",
    "description": "View users' email addresses."
  },
  "admin.users.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Change user roles, suspend users, end their sessions and reset two-factor authentication."
  },
  "admin.users.view_as": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "View the console as another user, read-only."
  },
  "admin.workspaces.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Change team names, tiers and limits, and delete empty teams."
  },
  "ai.read": {
    "roles": [
      "viewer",
      "member",
      "billing",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Read the models of the AI gateway, AI keys and their usage."
  },
  "ai.write": {
    "roles": [
      "member",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Create, change, rotate and revoke AI keys, and serve the team's own models through the API."
  },
  "billing.read": {
    "roles": [
      "billing",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Read the team's balance, transactions, credits, payments and invoices."
  },
  "billing.manage": {
    "roles": [
      "billing",
      "admin",
      "owner"
    ],
    "scope": "session",
    "description": "Add funds, redeem promotion codes and order capacity."
  },
  "admin.billing.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read every team's transactions, credits, payments, orders and invoices, products and promotion codes."
  },
  "admin.billing.write": {
    "roles": [
      "platform:finance",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Grant and revoke credits, adjust balances, confirm payments, issue and correct invoices, cancel and refund orders, and manage products and promotion codes."
  },
  "admin.usage.read": {
    "roles": [
      "platform:support",
      "platform:finance",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read CVM usage and cost by user and team."
  },
  "admin.audit.read": {
    "roles": [
      "platform:support",
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read the platform's and every team's audit log, and verify the hash chains."
  },
  "admin.audit_destinations.read": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Read where the audit log is delivered to."
  },
  "admin.audit_destinations.write": {
    "roles": [
      "platform:admin"
    ],
    "scope": "session",
    "description": "Add, change, test, pause and remove destinations of the audit log."
  }
} as const;

export type Permission = keyof typeof permissions;

/** Every problem code with its status, public title and advice. */
export const problems = {
  "ERR-00-001": {
    "status": 401,
    "name": "UNAUTHENTICATED",
    "title": "Authentication required",
    "what_to_do": "Sign in, or send an API token in the X-API-Key header."
  },
  "ERR-00-002": {
    "status": 401,
    "name": "INVALID_API_KEY",
    "title": "Invalid API key",
    "what_to_do": "Check the token for typos. It may also have expired or been revoked; if so, create a new one."
  },
  "ERR-00-003": {
    "status": 403,
    "name": "FORBIDDEN",
    "title": "Permission denied",
    "what_to_do": "Ask a team admin or owner for a role that allows this, or use a token with the required scope."
  },
  "ERR-00-004": {
    "status": 404,
    "name": "NOT_FOUND",
    "title": "Not found",
    "what_to_do": "Check the URL. The resource doesn't exist or belongs to a team you aren't in."
  },
  "ERR-00-005": {
    "status": 422,
    "name": "VALIDATION_FAILED",
    "title": "Invalid request",
    "what_to_do": "Correct the values that the error names."
  },
  "ERR-00-006": {
    "status": 400,
    "name": "MALFORMED_JSON",
    "title": "Invalid JSON",
    "what_to_do": "Send a single JSON value encoded as UTF-8."
  },
  "ERR-00-007": {
    "status": 413,
    "name": "PAYLOAD_TOO_LARGE",
    "title": "Request body too large",
    "what_to_do": "Send a smaller body. The limit is the operation's x-limits.body_bytes."
  },
  "ERR-00-008": {
    "status": 429,
    "name": "RATE_LIMITED",
    "title": "Too many requests",
    "what_to_do": "Wait the number of seconds in the Retry-After header, then retry."
  },
  "ERR-00-009": {
    "status": 500,
    "name": "INTERNAL",
    "title": "Internal server error",
    "what_to_do": "Try again. If the problem persists, contact support with the request ID."
  },
  "ERR-00-010": {
    "status": 503,
    "name": "NOT_READY",
    "title": "Service unavailable",
    "what_to_do": "Try again in a few seconds."
  },
  "ERR-00-011": {
    "status": 409,
    "name": "IDEMPOTENCY_KEY_REUSED",
    "title": "Idempotency-Key reused with a different body",
    "what_to_do": "Use a new key for each new request."
  },
  "ERR-00-012": {
    "status": 409,
    "name": "IDEMPOTENT_REQUEST_IN_PROGRESS",
    "title": "A request with this Idempotency-Key is in progress",
    "what_to_do": "Wait, then send the same request again."
  },
  "ERR-00-013": {
    "status": 415,
    "name": "UNSUPPORTED_MEDIA_TYPE",
    "title": "Unsupported content type",
    "what_to_do": "Use one of the operation's content types."
  },
  "ERR-00-014": {
    "status": 405,
    "name": "METHOD_NOT_ALLOWED",
    "title": "Method not allowed",
    "what_to_do": "Use one of the methods in the Allow header."
  },
  "ERR-00-015": {
    "status": 409,
    "name": "CONFLICT",
    "title": "Conflict with the current state",
    "what_to_do": "Reload, review what changed and try again."
  },
  "ERR-00-016": {
    "status": 409,
    "name": "OPERATION_IN_PROGRESS",
    "title": "Another operation is in progress on this CVM",
    "what_to_do": "Wait for it to finish. The CVM's operations list shows its progress."
  },
  "ERR-00-017": {
    "status": 502,
    "name": "HOST_UNREACHABLE",
    "title": "The TEE host isn't responding",
    "what_to_do": "Try again. If the problem persists, ask an administrator to check the host."
  },
  "ERR-00-018": {
    "status": 502,
    "name": "HOST_REFUSED",
    "title": "The TEE host rejected the request",
    "what_to_do": "Read the host's reason in detail, correct it, then try again."
  },
  "ERR-00-019": {
    "status": 504,
    "name": "DEADLINE_PASSED",
    "title": "The operation timed out",
    "what_to_do": "Check its last step, then try again."
  },
  "ERR-00-020": {
    "status": 412,
    "name": "PRECONDITION_FAILED",
    "title": "Changed while you were editing",
    "what_to_do": "Reload and reapply your changes."
  },
  "ERR-00-021": {
    "status": 409,
    "name": "IN_USE",
    "title": "Still in use",
    "what_to_do": "Remove or move whatever depends on it first."
  },
  "ERR-00-022": {
    "status": 401,
    "name": "INVALID_CREDENTIALS",
    "title": "Wrong email or password",
    "what_to_do": "Try again, or reset your password."
  },
  "ERR-00-023": {
    "status": 403,
    "name": "REGISTRATION_CLOSED",
    "title": "Registration is closed",
    "what_to_do": "Ask a team admin for an invitation, or an administrator of this server for an account."
  },
  "ERR-00-024": {
    "status": 409,
    "name": "SLUG_TAKEN",
    "title": "Team slug already taken",
    "what_to_do": "Choose a different slug."
  },
  "ERR-00-025": {
    "status": 422,
    "name": "SLUG_RESERVED",
    "title": "Reserved team slug",
    "what_to_do": "Choose a different slug. This one is used by the site."
  },
  "ERR-00-026": {
    "status": 409,
    "name": "WRONG_STATE",
    "title": "Not possible in the CVM's current state",
    "what_to_do": "First bring the CVM into the state that detail names."
  },
  "ERR-00-027": {
    "status": 400,
    "name": "DEVICE_AUTHORIZATION",
    "title": "Device not authorized",
    "what_to_do": "Approve the login in the browser. The reason is in detail.error."
  },
  "ERR-00-028": {
    "status": 409,
    "name": "PROVISION_EXPIRED",
    "title": "Reservation expired",
    "what_to_do": "Provision again."
  },
  "ERR-00-029": {
    "status": 403,
    "name": "LOG_TOKEN_INVALID",
    "title": "Log URL expired or invalid",
    "what_to_do": "Fetch the CVM again and use the new URL."
  },
  "ERR-00-030": {
    "status": 400,
    "name": "UNKNOWN_CHAIN",
    "title": "Unknown chain",
    "what_to_do": "Use ethereum, base, sepolia or local."
  },
  "ERR-00-031": {
    "status": 403,
    "name": "STEP_UP_REQUIRED",
    "title": "Confirm your identity",
    "what_to_do": "Confirm with your password, passkey or authenticator code, then try again."
  },
  "ERR-00-032": {
    "status": 403,
    "name": "SECOND_FACTOR_REQUIRED",
    "title": "This team requires two-factor authentication",
    "what_to_do": "Set up two-factor authentication under Account settings > Security, then sign in with it."
  },
  "ERR-00-033": {
    "status": 403,
    "name": "SSO_REQUIRED",
    "title": "This team requires single sign-on",
    "what_to_do": "Sign in through the team's identity provider."
  },
  "ERR-00-034": {
    "status": 403,
    "name": "EMAIL_UNVERIFIED",
    "title": "Email address not confirmed",
    "what_to_do": "Open the link in the confirmation email, or request a new one."
  },
  "ERR-00-035": {
    "status": 404,
    "name": "LINK_INVALID",
    "title": "Link no longer valid",
    "what_to_do": "It has been used, has expired or was replaced by a newer one. Request a new link."
  },
  "ERR-00-036": {
    "status": 401,
    "name": "SIGN_IN_EXPIRED",
    "title": "Sign-in timed out",
    "what_to_do": "Sign in again."
  },
  "ERR-00-037": {
    "status": 401,
    "name": "WRONG_CODE",
    "title": "Wrong or already used code",
    "what_to_do": "Wait for the next code and try again, or use another method."
  },
  "ERR-00-038": {
    "status": 409,
    "name": "LAST_OWNER",
    "title": "A team needs an owner",
    "what_to_do": "Transfer ownership first, or delete the team."
  },
  "ERR-00-039": {
    "status": 409,
    "name": "INVITED_ALREADY",
    "title": "Already invited or a member",
    "what_to_do": "Resend the pending invitation, or check the member list."
  },
  "ERR-00-040": {
    "status": 403,
    "name": "WRONG_ACCOUNT",
    "title": "Invitation sent to a different address",
    "what_to_do": "Sign out, then sign in or register with the invited address."
  },
  "ERR-00-041": {
    "status": 409,
    "name": "DOMAIN_UNVERIFIED",
    "title": "Domain not verified",
    "what_to_do": "Publish the TXT record shown, wait for DNS to update, then verify again."
  },
  "ERR-00-042": {
    "status": 401,
    "name": "SSO_FAILED",
    "title": "Invalid response from the identity provider",
    "what_to_do": "Try again. If the problem persists, ask a team admin to check the connection."
  },
  "ERR-00-043": {
    "status": 409,
    "name": "SECOND_FACTOR_MISSING",
    "title": "Two-factor authentication isn't set up",
    "what_to_do": "Set up a second factor first."
  },
  "ERR-00-044": {
    "status": 409,
    "name": "CVM_PROTECTED",
    "title": "The CVM has deletion protection",
    "what_to_do": "Turn off deletion protection in its settings first. You'll need to confirm your identity."
  },
  "ERR-00-045": {
    "status": 502,
    "name": "UPSTREAM_UNREACHABLE",
    "title": "External service not responding",
    "what_to_do": "Try again. If the problem persists, ask an administrator to check the server's outbound access."
  },
  "ERR-00-046": {
    "status": 431,
    "name": "HEADERS_TOO_LARGE",
    "title": "The URL and headers are longer than 64 KB",
    "what_to_do": "Shorten the URL or the headers. You can split a long filter into several requests."
  },
  "ERR-00-047": {
    "status": 400,
    "name": "UNKNOWN_VERSION",
    "title": "Unknown API version",
    "what_to_do": "Send X-Phala-Version with a version that the message lists, or leave it out."
  },
  "ERR-00-048": {
    "status": 502,
    "name": "CHAIN_UNREACHABLE",
    "title": "Couldn't read the blockchain network",
    "what_to_do": "Try again. If the problem persists, ask an administrator to check the network's RPC URLs."
  },
  "ERR-01-001": {
    "status": 400,
    "name": "NODE_NOT_FOUND",
    "title": "Requested host unavailable",
    "what_to_do": "Choose another host, or none to let the scheduler choose."
  },
  "ERR-01-002": {
    "status": 400,
    "name": "COMPOSE_FILE_REQUIRED",
    "title": "Compose file required",
    "what_to_do": "Send compose_file.docker_compose_file."
  },
  "ERR-01-003": {
    "status": 400,
    "name": "INVALID_COMPOSE_FILE",
    "title": "Invalid Compose file",
    "what_to_do": "Correct the line named in detail."
  },
  "ERR-01-004": {
    "status": 409,
    "name": "DUPLICATE_CVM_NAME",
    "title": "Name already used in this team",
    "what_to_do": "Choose another name, or delete the CVM that uses it."
  },
  "ERR-01-005": {
    "status": 465,
    "name": "HASH_REGISTRATION_REQUIRED",
    "title": "The app's contract must allow the compose hash",
    "what_to_do": "Allow the compose hash on the app's contract, then commit the change."
  },
  "ERR-01-006": {
    "status": 466,
    "name": "HASH_INVALID_OR_EXPIRED",
    "title": "The commit token or hash has expired",
    "what_to_do": "Prepare the update again."
  },
  "ERR-01-007": {
    "status": 467,
    "name": "TX_VERIFICATION_FAILED",
    "title": "Couldn't verify the transaction",
    "what_to_do": "Check that the transaction succeeded, on the right chain and contract."
  },
  "ERR-01-008": {
    "status": 468,
    "name": "HASH_NOT_ALLOWED",
    "title": "The contract doesn't allow the hash",
    "what_to_do": "Allow the hash on the app's contract."
  },
  "ERR-01-009": {
    "status": 400,
    "name": "COMPOSE_TOO_COMPLEX",
    "title": "The Compose file is too complex",
    "what_to_do": "Stay within the limit named in detail: remove repeated aliases and port ranges, or split the file into several apps."
  },
  "ERR-01-010": {
    "status": 409,
    "name": "TEMPLATE_LIMIT",
    "title": "Template limit reached",
    "what_to_do": "Delete an unused template."
  },
  "ERR-02-001": {
    "status": 400,
    "name": "INSTANCE_TYPE_NOT_FOUND",
    "title": "Unknown instance type",
    "what_to_do": "Choose an available instance type."
  },
  "ERR-02-002": {
    "status": 400,
    "name": "RESOURCE_NOT_AVAILABLE",
    "title": "No matching host",
    "what_to_do": "Choose a smaller size, another region or any host, or try again later."
  },
  "ERR-02-003": {
    "status": 400,
    "name": "INSUFFICIENT_VCPU",
    "title": "Not enough free vCPUs",
    "what_to_do": "Choose a smaller size or another host, or try again later."
  },
  "ERR-02-004": {
    "status": 400,
    "name": "INSUFFICIENT_MEMORY",
    "title": "Not enough free memory",
    "what_to_do": "Choose a smaller size or another host, or try again later."
  },
  "ERR-02-005": {
    "status": 400,
    "name": "INSUFFICIENT_SLOTS",
    "title": "No free CVM slot",
    "what_to_do": "Choose another host, or try again later."
  },
  "ERR-02-006": {
    "status": 400,
    "name": "GPU_ALLOCATION_ERROR",
    "title": "GPU allocation failed",
    "what_to_do": "Try again, or choose another host."
  },
  "ERR-02-007": {
    "status": 400,
    "name": "INSUFFICIENT_GPU",
    "title": "Not enough free GPUs",
    "what_to_do": "Choose fewer GPUs, or try again later."
  },
  "ERR-02-008": {
    "status": 400,
    "name": "INVALID_REQUEST",
    "title": "Invalid parameters",
    "what_to_do": "Correct the parameters named in detail."
  },
  "ERR-02-009": {
    "status": 400,
    "name": "INCOMPATIBLE_CONFIG",
    "title": "Conflicting parameters",
    "what_to_do": "Correct the parameters named in detail."
  },
  "ERR-02-010": {
    "status": 400,
    "name": "IMAGE_NOT_FOUND",
    "title": "Unknown OS image",
    "what_to_do": "Choose an available OS image."
  },
  "ERR-02-011": {
    "status": 400,
    "name": "KMS_NOT_FOUND",
    "title": "No matching KMS",
    "what_to_do": "Choose a key management service that the host supports."
  },
  "ERR-02-012": {
    "status": 403,
    "name": "TEEPOD_NOT_ACCESSIBLE",
    "title": "Host not available to the team",
    "what_to_do": "Choose another host."
  },
  "ERR-02-013": {
    "status": 400,
    "name": "OS_IMAGE_NOT_COMPATIBLE",
    "title": "No compatible OS image on the host",
    "what_to_do": "Choose another image or host."
  },
  "ERR-02-014": {
    "status": 400,
    "name": "NODE_CAPACITY_NOT_CONFIGURED",
    "title": "Host capacity not configured",
    "what_to_do": "Ask an administrator to set the host's capacity."
  },
  "ERR-02-015": {
    "status": 400,
    "name": "QUOTA_EXCEEDED",
    "title": "Team quota exceeded",
    "what_to_do": "Delete or shrink CVMs, or request a higher quota."
  },
  "ERR-02-016": {
    "status": 400,
    "name": "GPU_BUSY",
    "title": "GPUs in use",
    "what_to_do": "Try again later, or choose another host."
  },
  "ERR-03-001": {
    "status": 404,
    "name": "CVM_NOT_FOUND",
    "title": "The requested CVM was not found",
    "what_to_do": "Check the name or ID, and the team."
  },
  "ERR-03-002": {
    "status": 400,
    "name": "MULTIPLE_CVMS_SAME_NAME",
    "title": "Ambiguous CVM name",
    "what_to_do": "Use the vm_uuid."
  },
  "ERR-03-003": {
    "status": 404,
    "name": "CVM_NOT_IN_WORKSPACE",
    "title": "The CVM belongs to another team",
    "what_to_do": "Switch to the team that owns it."
  },
  "ERR-03-004": {
    "status": 404,
    "name": "CVM_NOT_VISIBLE",
    "title": "The requested CVM was not found",
    "what_to_do": "Check the name or ID, and the team."
  },
  "ERR-03-005": {
    "status": 404,
    "name": "CVM_ACCESS_DENIED",
    "title": "The requested CVM was not found",
    "what_to_do": "Check the name or ID, and the team."
  },
  "ERR-03-006": {
    "status": 400,
    "name": "REPLICA_IMAGE_NOT_AVAILABLE",
    "title": "The host doesn't have the source's OS image",
    "what_to_do": "Choose another host."
  },
  "ERR-03-007": {
    "status": 409,
    "name": "CVM_APP_ID_CONFLICT",
    "title": "App ID already in use",
    "what_to_do": "Provision again to get a new app ID."
  },
  "ERR-03-008": {
    "status": 404,
    "name": "REPLICA_SOURCE_NOT_FOUND",
    "title": "Source CVM not found",
    "what_to_do": "Check the ID and the team."
  },
  "ERR-03-009": {
    "status": 400,
    "name": "REPLICA_HASH_REQUIRED",
    "title": "Compose hash required to replicate",
    "what_to_do": "Send compose_hash."
  },
  "ERR-03-010": {
    "status": 400,
    "name": "AMBIGUOUS_CVM",
    "title": "Ambiguous CVM",
    "what_to_do": "Use the CVM's vm_uuid."
  },
  "ERR-04-001": {
    "status": 402,
    "name": "INSUFFICIENT_BALANCE",
    "title": "Insufficient balance",
    "what_to_do": "Add funds or pay the outstanding amount."
  },
  "ERR-04-002": {
    "status": 400,
    "name": "MAX_CVM_LIMIT",
    "title": "CVM limit reached",
    "what_to_do": "Delete a CVM, or request a higher tier."
  },
  "ERR-04-003": {
    "status": 400,
    "name": "RESOURCE_LIMIT_EXCEEDED",
    "title": "Team resource limit reached",
    "what_to_do": "Delete or shrink CVMs, or request a higher tier."
  },
  "ERR-04-004": {
    "status": 400,
    "name": "IDEMPOTENCY_KEY_REQUIRED",
    "title": "Idempotency-Key required",
    "what_to_do": "Send a new, unique Idempotency-Key with each request that moves money, and the same one when you repeat it."
  },
  "ERR-04-005": {
    "status": 409,
    "name": "PROMOTION_CODE_UNUSABLE",
    "title": "Promotion code can't be redeemed",
    "what_to_do": "Check the code for typos. It may also have expired, be used up, or be meant for other teams."
  },
  "ERR-04-006": {
    "status": 409,
    "name": "PAYMENT_SETTLED",
    "title": "Payment already settled",
    "what_to_do": "Reload the page to see its current state."
  },
  "ERR-04-007": {
    "status": 409,
    "name": "INVOICE_STATE",
    "title": "Not possible in the invoice's state",
    "what_to_do": "Reload the page to see its current state."
  },
  "ERR-04-008": {
    "status": 409,
    "name": "BUDGET_USED_UP",
    "title": "Budget used up",
    "what_to_do": "Raise the budget, change what it does, or wait for its next period."
  },
  "ERR-04-009": {
    "status": 409,
    "name": "PAYMENT_IN_PROGRESS",
    "title": "The saved card is being charged",
    "what_to_do": "Wait for this payment to finish, or start another one."
  },
  "ERR-04-010": {
    "status": 502,
    "name": "CARD_PAYMENTS_DOWN",
    "title": "Card payments aren't available right now",
    "what_to_do": "Try again in a minute, or pay by bank transfer."
  },
  "ERR-04-011": {
    "status": 409,
    "name": "OFFER_CHANGED",
    "title": "The price or rules have changed",
    "what_to_do": "Review the new ones in this error, and order again if you agree."
  },
  "ERR-04-012": {
    "status": 409,
    "name": "OFFER_UNAVAILABLE",
    "title": "Not available",
    "what_to_do": "Reload the page to see what can be ordered now."
  },
  "ERR-04-013": {
    "status": 409,
    "name": "ORDER_STATE",
    "title": "Not possible in the order's state",
    "what_to_do": "Reload the page to see its current state."
  },
  "ERR-05-001": {
    "status": 400,
    "name": "TOKEN_LIMIT_EXCEEDED",
    "title": "Too many API tokens",
    "what_to_do": "Revoke an unused token."
  },
  "ERR-05-002": {
    "status": 429,
    "name": "TOKEN_RATE_LIMIT",
    "title": "Too many API tokens created",
    "what_to_do": "Wait a minute, then try again."
  },
  "ERR-06-001": {
    "status": 400,
    "name": "OAUTH_EMAIL_INVALID",
    "title": "No usable email address from the identity provider",
    "what_to_do": "Use another sign-in method."
  },
  "ERR-07-001": {
    "status": 403,
    "name": "SECOND_FACTOR_NEEDED",
    "title": "Two-factor authentication required",
    "what_to_do": "Set it up under Account settings > Security, then try again."
  },
  "ERR-07-002": {
    "status": 428,
    "name": "CONFIRMATION_NEEDED",
    "title": "Confirm your identity",
    "what_to_do": "Confirm with your password, passkey or authenticator code, then try again."
  },
  "ERR-07-003": {
    "status": 409,
    "name": "WEBHOOK_LIMIT",
    "title": "Webhook limit reached",
    "what_to_do": "Delete an unused webhook."
  },
  "ERR-08-001": {
    "status": 403,
    "name": "VIEWING_AS",
    "title": "Not allowed while viewing as another user",
    "what_to_do": "Stop viewing first, from the console banner."
  },
  "ERR-08-002": {
    "status": 409,
    "name": "LAST_PLATFORM_ADMIN",
    "title": "The platform needs an admin",
    "what_to_do": "Make another user a platform admin first."
  },
  "ERR-09-001": {
    "status": 403,
    "name": "OWN_SIGN_IN_REQUIRED",
    "title": "Sign in with your own password or passkey",
    "what_to_do": "Sign out, then sign in with your password or a passkey. If you have neither, set a password with a reset link first."
  },
  "ERR-09-002": {
    "status": 409,
    "name": "TEAM_LIMIT",
    "title": "You have reached the team limit",
    "what_to_do": "Delete a team you no longer need, or ask an administrator of this server to create one for you."
  },
  "ERR-10-001": {
    "status": 409,
    "name": "AI_KEY_LIMIT",
    "title": "AI key limit reached",
    "what_to_do": "Revoke a key you no longer need."
  },
  "ERR-10-002": {
    "status": 409,
    "name": "AI_MODEL_LIMIT",
    "title": "AI model limit reached",
    "what_to_do": "Withdraw a model you no longer need."
  }
} as const;

export type ProblemCode = keyof typeof problems;

/** The same by name: what the code of the server says. */
export const problemCodes = {
  "UNAUTHENTICATED": "ERR-00-001",
  "INVALID_API_KEY": "ERR-00-002",
  "FORBIDDEN": "ERR-00-003",
  "NOT_FOUND": "ERR-00-004",
  "VALIDATION_FAILED": "ERR-00-005",
  "MALFORMED_JSON": "ERR-00-006",
  "PAYLOAD_TOO_LARGE": "ERR-00-007",
  "RATE_LIMITED": "ERR-00-008",
  "INTERNAL": "ERR-00-009",
  "NOT_READY": "ERR-00-010",
  "IDEMPOTENCY_KEY_REUSED": "ERR-00-011",
  "IDEMPOTENT_REQUEST_IN_PROGRESS": "ERR-00-012",
  "UNSUPPORTED_MEDIA_TYPE": "ERR-00-013",
  "METHOD_NOT_ALLOWED": "ERR-00-014",
  "CONFLICT": "ERR-00-015",
  "OPERATION_IN_PROGRESS": "ERR-00-016",
  "HOST_UNREACHABLE": "ERR-00-017",
  "HOST_REFUSED": "ERR-00-018",
  "DEADLINE_PASSED": "ERR-00-019",
  "PRECONDITION_FAILED": "ERR-00-020",
  "IN_USE": "ERR-00-021",
  "INVALID_CREDENTIALS": "ERR-00-022",
  "REGISTRATION_CLOSED": "ERR-00-023",
  "SLUG_TAKEN": "ERR-00-024",
  "SLUG_RESERVED": "ERR-00-025",
  "WRONG_STATE": "ERR-00-026",
  "DEVICE_AUTHORIZATION": "ERR-00-027",
  "PROVISION_EXPIRED": "ERR-00-028",
  "LOG_TOKEN_INVALID": "ERR-00-029",
  "UNKNOWN_CHAIN": "ERR-00-030",
  "STEP_UP_REQUIRED": "ERR-00-031",
  "SECOND_FACTOR_REQUIRED": "ERR-00-032",
  "SSO_REQUIRED": "ERR-00-033",
  "EMAIL_UNVERIFIED": "ERR-00-034",
  "LINK_INVALID": "ERR-00-035",
  "SIGN_IN_EXPIRED": "ERR-00-036",
  "WRONG_CODE": "ERR-00-037",
  "LAST_OWNER": "ERR-00-038",
  "INVITED_ALREADY": "ERR-00-039",
  "WRONG_ACCOUNT": "ERR-00-040",
  "DOMAIN_UNVERIFIED": "ERR-00-041",
  "SSO_FAILED": "ERR-00-042",
  "SECOND_FACTOR_MISSING": "ERR-00-043",
  "CVM_PROTECTED": "ERR-00-044",
  "UPSTREAM_UNREACHABLE": "ERR-00-045",
  "HEADERS_TOO_LARGE": "ERR-00-046",
  "UNKNOWN_VERSION": "ERR-00-047",
  "CHAIN_UNREACHABLE": "ERR-00-048",
  "NODE_NOT_FOUND": "ERR-01-001",
  "COMPOSE_FILE_REQUIRED": "ERR-01-002",
  "INVALID_COMPOSE_FILE": "ERR-01-003",
  "DUPLICATE_CVM_NAME": "ERR-01-004",
  "HASH_REGISTRATION_REQUIRED": "ERR-01-005",
  "HASH_INVALID_OR_EXPIRED": "ERR-01-006",
  "TX_VERIFICATION_FAILED": "ERR-01-007",
  "HASH_NOT_ALLOWED": "ERR-01-008",
  "COMPOSE_TOO_COMPLEX": "ERR-01-009",
  "TEMPLATE_LIMIT": "ERR-01-010",
  "INSTANCE_TYPE_NOT_FOUND": "ERR-02-001",
  "RESOURCE_NOT_AVAILABLE": "ERR-02-002",
  "INSUFFICIENT_VCPU": "ERR-02-003",
  "INSUFFICIENT_MEMORY": "ERR-02-004",
  "INSUFFICIENT_SLOTS": "ERR-02-005",
  "GPU_ALLOCATION_ERROR": "ERR-02-006",
  "INSUFFICIENT_GPU": "ERR-02-007",
  "INVALID_REQUEST": "ERR-02-008",
  "INCOMPATIBLE_CONFIG": "ERR-02-009",
  "IMAGE_NOT_FOUND": "ERR-02-010",
  "KMS_NOT_FOUND": "ERR-02-011",
  "TEEPOD_NOT_ACCESSIBLE": "ERR-02-012",
  "OS_IMAGE_NOT_COMPATIBLE": "ERR-02-013",
  "NODE_CAPACITY_NOT_CONFIGURED": "ERR-02-014",
  "QUOTA_EXCEEDED": "ERR-02-015",
  "GPU_BUSY": "ERR-02-016",
  "CVM_NOT_FOUND": "ERR-03-001",
  "MULTIPLE_CVMS_SAME_NAME": "ERR-03-002",
  "CVM_NOT_IN_WORKSPACE": "ERR-03-003",
  "CVM_NOT_VISIBLE": "ERR-03-004",
  "CVM_ACCESS_DENIED": "ERR-03-005",
  "REPLICA_IMAGE_NOT_AVAILABLE": "ERR-03-006",
  "CVM_APP_ID_CONFLICT": "ERR-03-007",
  "REPLICA_SOURCE_NOT_FOUND": "ERR-03-008",
  "REPLICA_HASH_REQUIRED": "ERR-03-009",
  "AMBIGUOUS_CVM": "ERR-03-010",
  "INSUFFICIENT_BALANCE": "ERR-04-001",
  "MAX_CVM_LIMIT": "ERR-04-002",
  "RESOURCE_LIMIT_EXCEEDED": "ERR-04-003",
  "IDEMPOTENCY_KEY_REQUIRED": "ERR-04-004",
  "PROMOTION_CODE_UNUSABLE": "ERR-04-005",
  "PAYMENT_SETTLED": "ERR-04-006",
  "INVOICE_STATE": "ERR-04-007",
  "BUDGET_USED_UP": "ERR-04-008",
  "PAYMENT_IN_PROGRESS": "ERR-04-009",
  "CARD_PAYMENTS_DOWN": "ERR-04-010",
  "OFFER_CHANGED": "ERR-04-011",
  "OFFER_UNAVAILABLE": "ERR-04-012",
  "ORDER_STATE": "ERR-04-013",
  "TOKEN_LIMIT_EXCEEDED": "ERR-05-001",
  "TOKEN_RATE_LIMIT": "ERR-05-002",
  "OAUTH_EMAIL_INVALID": "ERR-06-001",
  "SECOND_FACTOR_NEEDED": "ERR-07-001",
  "CONFIRMATION_NEEDED": "ERR-07-002",
  "WEBHOOK_LIMIT": "ERR-07-003",
  "VIEWING_AS": "ERR-08-001",
  "LAST_PLATFORM_ADMIN": "ERR-08-002",
  "OWN_SIGN_IN_REQUIRED": "ERR-09-001",
  "TEAM_LIMIT": "ERR-09-002",
  "AI_KEY_LIMIT": "ERR-10-001",
  "AI_MODEL_LIMIT": "ERR-10-002"
} as const;

export type ProblemName = keyof typeof problemCodes;

/** Names of properties marked x-secret (or x-redact) in the document: never logged. May only grow. */
export const secretFields: readonly string[] = [
  "ComposeText",
  "InitScript",
  "RecoveryCodeList",
  "ScriptText",
  "access_token",
  "anyOf",
  "api_key",
  "app_compose",
  "authorization_url",
  "bash_script",
  "ciphertext",
  "client_key",
  "client_secret",
  "code",
  "compose_file",
  "config_token",
  "container_log_base",
  "control_token",
  "credential",
  "current_password",
  "device_code",
  "docker_compose_file",
  "encrypted_env",
  "envelope",
  "invitation_token",
  "key",
  "link_code",
  "log_endpoint",
  "new_password",
  "otpauth_url",
  "parameters",
  "password",
  "password_token",
  "pre_launch_script",
  "previous_secret",
  "secret",
  "serial",
  "state",
  "stderr",
  "stdout",
  "syslog_endpoint",
  "text",
  "token",
  "user_config",
  "webhook_url",
  "wrapped_key"
];
