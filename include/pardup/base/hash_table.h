/*
 * base/hash_table.h - a hash table from u64 keys to u64 values.
 *
 * Open addressing with linear probing; at most half of the slots are in use. A value is never 0: a
 * slot with value 0 is free. A zeroed struct is an empty table. For counts, and for indices plus 1.
 *
 * Some tables are not this one because every step of an inner loop goes through them. The
 * vocabulary (feature/vocabulary.h) has what a word needs in one slot and prefetches it. The signer
 * (feature/signer.c) uses 8 bytes a slot for a set that lives for one unit. Pairing
 * (passage/pairing/pairing_inside.h) counts in the slot.
 */
#ifndef PARDUP_BASE_HASH_TABLE_H
#define PARDUP_BASE_HASH_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Keys and their values. */
struct pd_hash_table {
    struct pd_hash_table_slot {
        uint64_t key;   /* any number */
        uint64_t value; /* 0: the slot is free */
    } * slots;
    size_t nslots; /* a power of two, or 0 */
    size_t n;      /* keys */
};

/* The most bytes of a table with n keys, also while it grows. */
#define PD_HASH_TABLE_BYTES(n) (6 * (n) * sizeof(struct pd_hash_table_slot))

/*
 * The value of `key`, to be read or changed; valid until the next call. A new key has value 0 and
 * must get another value before the next call. Amortised O(1).
 */
uint64_t *pd_hash_table_at(struct pd_hash_table *t, uint64_t key);

/* The value of `key`; 0: the table does not have it. */
uint64_t pd_hash_table_get(const struct pd_hash_table *t, uint64_t key);

/* Free the memory. The table is empty and can be used again. */
void pd_hash_table_release(struct pd_hash_table *t);

#endif
