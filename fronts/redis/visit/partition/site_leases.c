/* site_leases.c - what becomes of leases in a partition with hosts; see
 * sites.h */
#include "seenset/error.h"
#include "server/api.h"
#include "visit/partition/sites.h"

static void count_up(uint32_t *count)
{
    *count += *count < UINT32_MAX;
}

/* The host of a lease, which is there as long as the lease is out, or waits. */
static uint32_t host_of(const sr_sites *sites, const sr_lease *lease)
{
    return ss_hosts_find(&sites->turns.all, sr_lease_host(lease));
}

/* A lease ended: the host's delay begins, also under a block. */
static void end(sr_sites *sites, uint32_t number, uint64_t end_ms,
                bool is_tried)
{
    uint64_t delay_ms = sr_sites_delay(sites, number);
    sr_own *own = sr_sites_line(sites, number)->own;
    ss_turns_end(&sites->turns, number, end_ms, delay_ms, is_tried);
    if (own == NULL || own->block_until_ms == 0 || !is_tried ||
        sites->rules.is_from_start)
        return;
    if (own->unblocked_ms < end_ms + delay_ms)
        own->unblocked_ms = end_ms + delay_ms;
}

static bool is_to_die(const sr_sites *sites, const sr_lease *lease)
{
    return sites->rules.give_up > 0 && lease->times >= sites->rules.give_up;
}

static void die(sr_sites *sites, sr_leases *leases, sr_lease *lease)
{
    sr_leases_leave(leases, lease, SR_LEASE_DEAD);
    sr_leases_set_out(leases, lease, false);
    sites->dead_count++;
}

static void become_due(sr_sites *sites, sr_leases *leases, uint32_t number,
                       sr_lease *lease)
{
    sr_leases_leave(leases, lease, SR_LEASE_DUE);
    sr_line_add_due(sr_sites_line(sites, number), lease);
    sites->due_count++;
}

static void leave_due(sr_sites *sites, uint32_t number, sr_lease *lease)
{
    sr_line_remove_due(sr_sites_line(sites, number), lease);
    sites->due_count--;
}

/* A lease whose time has come: it ended, or its delay did. */
static void settle_one(sr_sites *sites, sr_leases *leases, sr_lease *lease)
{
    uint32_t number = host_of(sites, lease);
    sr_line *line = sr_sites_line(sites, number);
    if (lease->is_out) {
        end(sites, number, lease->due_ms, true);
        count_up(&line->failed);
    } else {
        line->waiting--;
    }
    if (lease->is_out && is_to_die(sites, lease))
        die(sites, leases, lease);
    else
        become_due(sites, leases, number, lease);
    sr_sites_place(sites, number);
}

typedef struct forgetting {
    sr_sites *sites;
    bool is_any; /* other than blank ones, which no other server has */
} forgetting;

static void forget(void *context, ss_host_row *row)
{
    forgetting *now = context;
    sr_line *line = sr_row_line(row);
    now->is_any |= !sr_sites_is_blank(row);
    now->sites->line_bytes -= sr_line_bytes(line);
    sr_line_free(line);
}

bool sr_sites_settle(sr_sites *sites, sr_leases *leases, uint64_t now_ms)
{
    forgetting now = {.sites = sites};
    sr_lease *lease;
    while ((lease = sr_leases_due(leases, now_ms)) != NULL) {
        settle_one(sites, leases, lease);
        now.is_any = true;
    }
    (void)ss_turns_forget_idle(&sites->turns, now_ms, forget, &now);
    return now.is_any;
}

/* ---- handing out ---- */

/* A block that is over is forgotten when its host is asked again. */
static void end_block(sr_line *line, uint64_t now_ms)
{
    sr_own *own = line->own;
    if (own == NULL || own->block_until_ms == 0 || own->block_until_ms > now_ms)
        return;
    own->block_until_ms = 0;
    if (own->delay_ms != SR_USUAL || own->budget != SR_USUAL)
        return;
    sr_redis.free(own);
    line->own = NULL;
}

static int take_pending(sr_sites *sites, sr_leases *leases, uint32_t number,
                        uint64_t due_ms, sr_lease **lease)
{
    sr_item item;
    sr_line *line = sr_sites_line(sites, number);
    uint64_t hash = ss_turns_host(&sites->turns, number)->hash;
    int found = sr_line_first(line, &item);
    if (found != 1)
        return found;
    *lease = sr_lease_new(&item, &hash);
    if (*lease == NULL)
        return SEENSET_ENOMEM;
    sr_line_drop(line);
    sr_leases_add(leases, *lease, due_ms);
    return 1;
}

static int take_first(sr_sites *sites, sr_leases *leases, uint32_t number,
                      uint64_t due_ms, sr_lease **lease)
{
    sr_lease *again = sr_line_first_due(sr_sites_line(sites, number));
    if (again == NULL)
        return take_pending(sites, leases, number, due_ms, lease);
    leave_due(sites, number, again);
    sr_leases_renew(leases, again, due_ms, true);
    *lease = again;
    return 1;
}

int sr_sites_take(sr_sites *sites, sr_leases *leases, uint32_t number,
                  uint64_t now_ms, uint64_t due_ms, sr_lease **lease)
{
    sr_sites_lift(sites, number);
    int found = take_first(sites, leases, number, due_ms, lease);
    if (found == 1)
        end_block(sr_sites_line(sites, number), now_ms);
    sr_sites_lower(sites, number);
    if (found != 1)
        return found;
    ss_turns_hand_out(&sites->turns, number, now_ms,
                      sr_sites_delay(sites, number));
    sr_sites_place(sites, number);
    return 1;
}

/* ---- what clients do with leases ---- */

bool sr_sites_may_ack(const sr_lease *lease)
{
    return lease->is_out || lease->place == SR_LEASE_DEAD;
}

bool sr_sites_may_nack(const sr_lease *lease)
{
    return lease->is_out;
}

/* One that ended takes a place of its host again. */
bool sr_sites_may_extend(const sr_sites *sites, const sr_lease *lease)
{
    if (!lease->is_out || lease->place == SR_LEASE_TIMED)
        return lease->is_out;
    return ss_turns_host(&sites->turns, host_of(sites, lease))->leased <
           sites->rules.per_host;
}

/* It is not handed out any more, by what its client said. */
static void come_back(sr_sites *sites, uint32_t number, sr_lease *lease,
                      uint64_t now_ms, bool is_tried)
{
    if (lease->place == SR_LEASE_DUE)
        leave_due(sites, number, lease);
    else
        end(sites, number, now_ms, is_tried);
}

void sr_sites_ack(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                  uint64_t now_ms)
{
    if (lease->place == SR_LEASE_DEAD) {
        sites->dead_count--;
        sr_leases_remove(leases, lease);
        return;
    }
    uint32_t number = host_of(sites, lease);
    come_back(sites, number, lease, now_ms, true);
    count_up(&sr_sites_line(sites, number)->done);
    sr_leases_remove(leases, lease);
    sr_sites_place(sites, number);
}

/* The failure of one that ended was counted when that was settled. */
void sr_sites_nack(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                   uint64_t now_ms, uint64_t due_ms, bool is_untried)
{
    uint32_t number = host_of(sites, lease);
    sr_line *line = sr_sites_line(sites, number);
    bool is_counted = lease->place == SR_LEASE_DUE;
    come_back(sites, number, lease, now_ms, !is_untried);
    if (is_untried)
        sr_lease_untry(lease);
    else if (!is_counted)
        count_up(&line->failed);
    if (!is_untried && is_to_die(sites, lease)) {
        die(sites, leases, lease);
    } else {
        sr_leases_renew(leases, lease, due_ms, false);
        line->waiting++;
    }
    sr_sites_place(sites, number);
}

void sr_sites_ack_again(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                        uint64_t now_ms, uint64_t due_ms)
{
    uint32_t number = host_of(sites, lease);
    sr_line *line = sr_sites_line(sites, number);
    come_back(sites, number, lease, now_ms, true);
    count_up(&line->done);
    lease->times = 0;
    sr_leases_renew(leases, lease, due_ms, false);
    line->waiting++;
    sr_sites_place(sites, number);
}

void sr_sites_extend(sr_sites *sites, sr_leases *leases, sr_lease *lease,
                     uint64_t due_ms)
{
    uint32_t number = host_of(sites, lease);
    if (lease->place == SR_LEASE_DUE) {
        leave_due(sites, number, lease);
        ss_turns_lease_again(&sites->turns, number);
    }
    sr_leases_move(leases, lease, due_ms);
    sr_sites_place(sites, number);
}

int sr_sites_revive(sr_sites *sites, sr_lease *lease)
{
    uint32_t number;
    if (sr_sites_need(sites, sr_lease_host(lease), &number) != 0)
        return SEENSET_ENOMEM;
    lease->times = 0;
    lease->place = SR_LEASE_DUE;
    sites->dead_count--;
    sites->due_count++;
    sr_line_add_due(sr_sites_line(sites, number), lease);
    sr_sites_place(sites, number);
    return 0;
}
