/** Facts about a migration for `teehouse upgrade --check`. */
interface MigrationFacts {
  /** Description of the change, as a sentence. */
  about: string;
  /**
   * What goes wrong while a process of an earlier version runs alongside. Absent if nothing does: it only adds
   * things unknown to those (expand), or removes things none of them uses any more (contract).
   */
  older?: {
    /** `stop`: they would write wrong data, so none may run. `degraded`: something fails in them until they are replaced. */
    effect: 'stop' | 'degraded';
    /** Description, as a sentence. */
    why: string;
  };
}

/**
 * Migrations from 0165 on. For earlier ones it isn't known whether older processes can run alongside. A test
 * requires an entry for each new one.
 */
export const MIGRATION_FACTS: Readonly<Record<string, MigrationFacts>> = {
  '0165_e_invoices': { about: 'Stores electronic invoices (EN 16931).' },
  '0170_metered_budgets': {
    about: 'Counts only metered usage in budgets and recalculates them.',
    older: { effect: 'stop', why: 'They keep writing budgets the old way.' },
  },
  '0190_app_watches': { about: 'Lets visitors follow a published app by email.' },
  '0191_disk_rates': {
    about: 'Bills disk above what an instance type includes.',
    older: { effect: 'degraded', why: 'CVMs they create or resize pay nothing for disk.' },
  },
  '0195_receipt_keys': {
    about: 'Recognizes bank transfers however their number is spelled.',
    older: { effect: 'stop', why: 'They keep writing payments the old way.' },
  },
  '0196_open_pages': { about: 'Indexes canceled card payments whose page is still open.' },
  '0198_rated_products': { about: 'Stores the metered price that a product was compared with.' },
  '0199_finance_notices': { about: 'Indexes finance action notices.' },
  '0200_ai_key_budgets': {
    about: 'Adds budgets for AI keys and totals their cost per day.',
    older: { effect: 'stop', why: "They don't count what AI keys spend." },
  },
  '0201_account_wallets': { about: 'Links Ethereum addresses to accounts.' },
  '0202_orders_of_disks': { about: 'Lets orders cover disk, and gives products a new version.' },
  '0203_renewal_reasons': {
    about: "Stores each reason why a renewal couldn't be paid.",
    older: { effect: 'stop', why: 'They keep writing orders the old way.' },
  },
  '0206_stopped_watches': { about: 'Remembers addresses that stopped watching an app.' },
  '0207_published_revisions': { about: 'Records which revisions of an app were public.' },
  '0208_webhook_watches': {
    about: 'Lets webhooks follow a published app.',
    older: { effect: 'degraded', why: "They can't deliver to webhooks that follow an app." },
  },
  '0210_e2ee_nonces': { about: 'Rejects replayed encrypted AI requests.' },
  '0216_gpu_waits': { about: 'Stores the waitlist for GPUs.' },
  '0217_refused_versions': { about: 'Records apps removed from public lists.' },
  '0218_template_versions': { about: 'Records the template a revision came from.' },
  '0219_team_templates': { about: "Adds teams' own templates." },
  '0226_kms_webhooks': { about: 'Lets key services ask this server before they release keys.' },
  '0234_orders_since_disk_rates': { about: 'Corrects which orders cover disk.' },
  '0235_budget_renewals': { about: 'Corrects why earlier renewals failed.' },
  '0236_gpu_wait_names': {
    about: 'Renames a column of GPU waits.',
    older: { effect: 'degraded', why: "They can't send mail about free GPUs." },
  },
  '0242_ai_gateways': { about: 'Adds AI gateways outside this server.' },
  '0243_kms_boot_entries': { about: 'Limits audit entries about KMS boot decisions.' },
  '0253_usdc_deposits': { about: 'Adds USDC deposits.' },
  '0254_usage_days': { about: 'Totals posted usage per team and day.' },
  '0255_welcome_credits': { about: 'Adds credits for a first payment.' },
  '0256_expiry_notices': { about: 'Records notices of expiring credits.' },
  '0257_operator_templates': { about: 'Adds templates from the admin area.' },
  '0258_webhook_formats': {
    about: 'Lets webhooks post to chats.',
    older: { effect: 'degraded', why: 'They send events instead of sentences to chats.' },
  },
  '0259_ai_catalog': { about: 'Numbers changes to AI models and upstreams.' },
  '0260_ai_gateway_cvms': { about: 'Records the CVM of an AI gateway.' },
  '0261_ai_upstream_evidence': {
    about: 'Lets AI upstreams require evidence.',
    older: { effect: 'degraded', why: 'They send prompts to upstreams without requiring evidence.' },
  },
  '0265_usdc_lookups': {
    about: 'Rescans for USDC deposits that may have been missed.',
    older: { effect: 'degraded', why: "They can't read USDC deposits." },
  },
  '0266_welcome_minimum': {
    about: 'Adds a minimum payment for welcome credits.',
    older: { effect: 'degraded', why: "They can't create codes for welcome credits." },
  },
  '0270_explorer_apps': { about: 'Stores the explorer entry of each published app.' },
  '0271_ai_evidence_catalog': { about: 'Counts changes to required evidence as changes to the AI catalog.' },
  '0275_usdc_unread': {
    about: "Keeps ranges of blocks that couldn't be read.",
    older: { effect: 'degraded', why: "They can't read USDC deposits." },
  },
  '0280_host_shards': {
    about: 'Divides hosts among workers.',
    older: { effect: 'degraded', why: 'They poll every host, including those of other workers.' },
  },
  '0285_log_level': {
    about: 'Stores a temporary log level.',
    older: { effect: 'degraded', why: 'They keep their own log level.' },
  },
  '0286_operation_traces': { about: 'Stores the trace an operation belongs to.' },
  '0287_audit_destinations': { about: 'Adds audit log destinations.' },
  '0292_reinstated_reports': {
    about:
      'Notifies teams when operators remove their apps from the explorer, and records why apps were reinstated.',
    older: { effect: 'degraded', why: "They don't notify the teams." },
  },
  '0293_used_wallet_messages': {
    about: 'Accepts each wallet-linking message only once.',
    older: { effect: 'degraded', why: 'They accept repeated messages until these expire.' },
  },
  '0294_disk_lines': { about: "Bills a running CVM's disk as a separate line." },
  '0295_open_provisions': { about: 'Indexes provisions that wait for a contract by compose hash.' },
  '0299_audit_client_certificates': {
    about: 'Adds client certificates to audit destinations.',
    older: { effect: 'degraded', why: "They don't present them, so their deliveries fail and are retried." },
  },
  '0301_staff_sso': {
    about: 'Adds single sign-on for platform staff, and break-glass links.',
    older: {
      effect: 'degraded',
      why: "Set STAFF_SSO_* and use `teehouse break-glass` once they are gone. Until then, they don't enforce STAFF_SSO_REQUIRED, treat these sessions as ordinary ones, with account settings and the usual lifetime, and can't list them.",
    },
  },
  '0302_recovery_code_secrets': { about: 'Records which secret hashed each recovery code.' },
  '0303_payer_warnings': { about: 'Records warnings about low balances and expiring cards.' },
  '0304_scim': {
    about: "Lets a team's identity provider provision members (SCIM).",
    older: {
      effect: 'degraded',
      why: "They don't answer SCIM requests, and let users that the provider deactivated sign in through it again. Create SCIM tokens once they are gone.",
    },
  },
  '0305_teepod_loads': {
    about: 'Totals the capacity reserved on each host, so that placement reads one row per host.',
  },
  '0306_team_ai_models': {
    about: 'Lets teams serve their own models through the AI API to their own keys.',
    older: { effect: 'degraded', why: "They don't offer these models to anyone." },
  },
  '0307_maintenance_notices': {
    about: 'Announces maintenance windows in batches of a thousand CVMs.',
    older: {
      effect: 'degraded',
      why: 'If they move or cancel a window that is being announced, the rest of that announcement is still sent.',
    },
  },
  '0308_divided_events': {
    about: 'Lets workers partition a large events table.',
    older: {
      effect: 'degraded',
      why: "The table isn't divided while one of them runs. If one is started later, it can't record what hosts report.",
    },
  },
  '0309_missing_vms_index': { about: 'Replaces an index of lost CVMs that slowed changes of their status.' },
  '0312_ai_request_upstreams': {
    about: 'Lets busy AI upstreams be removed without rewriting their requests.',
  },
  '0313_redemption_indexes': {
    about: 'Indexes cards, so that a promotion code redeemed by very many teams stays fast.',
  },
  '0317_card_removals': {
    about: 'Lets other cards be removed while Stripe refuses to remove the card of a deleted team.',
  },
  '0318_host_facts': {
    about: 'Schedules when images, capacity and gateway of each host are read again.',
  },
  '0319_size_waits': {
    about: 'Lets members wait for capacity for a size without GPUs.',
    older: { effect: 'degraded', why: 'They email members who wait for such a size too early.' },
  },
  '0320_sources_of_trust': {
    about:
      'Sends alerts about OS images with unconfirmed hashes to the chats that get those about KMS keys, and records how wallets were linked.',
    older: {
      effect: 'degraded',
      why: 'They still verify CVMs by hashes that only hosts reported, and a KMS that asks one of them releases keys by these. Wallets linked through one of them must be linked again to claim a contract.',
    },
  },
  '0321_provision_rates': {
    about: 'Records the price of each reserved deployment.',
    older: {
      effect: 'degraded',
      why: "A deployment that was reserved or is committed through one of them starts at today's price, even if that has risen since.",
    },
  },
  '0322_placement_policy': {
    about: 'Lets administrators choose whether CVMs are spread over hosts or packed on few.',
    older: { effect: 'degraded', why: 'They keep spreading the CVMs they place.' },
  },
  '0323_attested_requests': {
    about:
      'Finds since when the servers of AI models were verified without reading the requests of other models.',
  },
  '0324_offers_and_next_keys': {
    about:
      'Offers free capacity to waiting teams in turn and holds it for them, and lets a KMS have a second pinned key.',
    older: {
      effect: 'degraded',
      why: 'They deploy into capacity that is held for another team, offer it in the old order, and accept only the first pinned key of a KMS. Pin second keys once they are gone.',
    },
  },
  '0326_ai_details': {
    about: 'Records what AI models read and write.',
    older: {
      effect: 'degraded',
      why: 'They forward requests with content that a model is set not to read.',
    },
  },
  '0327_retention_notices': {
    about: 'Records that the deletion of old data was announced.',
    older: {
      effect: 'degraded',
      why: 'They still delete old webhook deliveries, rollouts, AI requests, alerts, bulk jobs, GPU events and abuse reports without an announcement.',
    },
  },
  '0328_ai_switch': {
    about: 'Lets teams turn the AI API off.',
    older: { effect: 'degraded', why: 'They forward requests of teams that turned the AI API off.' },
  },
  '0329_upstream_health': {
    about: 'Keeps the checks of AI upstreams by hour.',
    older: { effect: 'degraded', why: "Their checks of AI upstreams don't count in the uptime of models." },
  },
  '0330_rollout_reasons': {
    about: 'Records by ID why a CVM of a rollout was skipped or not confirmed healthy.',
  },
  '0331_used_offers': {
    about: 'Offers held capacity to the team again if the deployment that used the offer is abandoned.',
    older: {
      effect: 'degraded',
      why: 'They count offered capacity twice while a deployment uses it, and a deployment through one of them still ends the offer.',
    },
  },
  '0332_rollout_details': {
    about: 'Records by ID why a CVM of a rollout failed or couldn’t be started, with what its host reported.',
  },
  '0333_event_words': { about: 'Makes writing events and CVMs cheaper.' },
  '0334_upstream_checks_index': {
    about: 'Indexes AI upstreams by their last check, so that finding those that are due stays fast.',
  },
  '0335_ai_key_minutes': {
    about: 'Counts the requests and tokens per minute of AI keys across processes.',
    older: { effect: 'degraded', why: 'Each of them counts requests and tokens per minute on its own.' },
  },
};
