// Dst as a memory: raw bytes through mem_tsock, slices through the load and store ports.
#include "forked.h"
#include "rig.h"

#include <sfpu/dst/dst_storage.h>

#include <array>
#include <limits>
#include <random>
#include <set>

namespace sfpu::test {
namespace {

using dst::adjust16;
using dst::adjust32;
using dst::dst_storage;

// --- plain storage: no kernel needed -----------------------------------------------------------------------

struct access_configuration {
    bool remap, swizzle;
};
constexpr std::array<access_configuration, 4> all_configurations{
    {{false, false}, {false, true}, {true, false}, {true, true}}};

TEST(dst_storage, the_16_bit_view_is_a_permutation_of_the_rows) {
    for (const bool remap : {false, true}) {
        std::set<unsigned> rows;
        for (unsigned row = 0; row < dst::row_count; ++row) rows.insert(adjust16(row, remap));
        EXPECT_EQ(rows.size(), dst::row_count);
        EXPECT_LT(*rows.rbegin(), dst::row_count);
    }
}

TEST(dst_storage, the_32_bit_view_pairs_every_row_with_exactly_one_other) {
    for (const auto [remap, swizzle] : all_configurations) {
        std::set<unsigned> rows;
        for (unsigned row = 0; row < dst::row_count / 2; ++row) {
            rows.insert(adjust32(row, remap, swizzle));
            rows.insert(adjust32(row, remap, swizzle) + 8);
        }
        EXPECT_EQ(rows.size(), dst::row_count) << "remap " << remap << " swizzle " << swizzle;
        EXPECT_LT(*rows.rbegin(), dst::row_count);
    }
}

TEST(dst_storage, four_rows_of_a_slice_are_neighbours_in_storage_in_every_view) {
    for (const auto [remap, swizzle] : all_configurations) {
        for (unsigned row = 0; row < dst::row_count; row += 4) {
            for (unsigned i = 1; i < 4; ++i) {
                EXPECT_EQ(adjust16(row + i, remap), adjust16(row, remap) + i);
                EXPECT_EQ(adjust32(row + i, remap, swizzle), adjust32(row, remap, swizzle) + i);
            }
            EXPECT_EQ(adjust16(row, remap) % 4, 0u);
            EXPECT_EQ(adjust32(row, remap, swizzle) % 4, 0u);
        }
    }
}

TEST(dst_storage, without_remapping_row_r_of_the_32_bit_view_is_in_rows_of_its_group_of_16) {
    // Rows 0 to 7 have their upper halves in storage rows 0 to 7 and their lower halves in 8 to 15, and so
    // on.
    EXPECT_EQ(adjust32(0, false, false), 0u);
    EXPECT_EQ(adjust32(7, false, false), 7u);
    EXPECT_EQ(adjust32(8, false, false), 16u);
    EXPECT_EQ(adjust32(511, false, false), 1015u);
}

TEST(dst_storage, remapping_rotates_row_bits_3_to_5) {
    EXPECT_EQ(adjust16(0x010, true), 0x008u);
    EXPECT_EQ(adjust16(0x020, true), 0x010u);
    EXPECT_EQ(adjust16(0x008, true), 0x020u);
    EXPECT_EQ(adjust16(0x3c7, true), 0x3c7u);
}

/// Storage whose cells are all different.
dst_storage numbered_storage() {
    dst_storage storage;
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            storage.set_cell(row, column, static_cast<std::uint16_t>(row * dst::cells_per_row + column));
    return storage;
}

unsigned column_of(unsigned lane, lane_mask odd) { return lane % 8 * 2 + (odd >> lane & 1); }

TEST(dst_storage, a_16_bit_slice_has_lane_n_in_row_n_div_8_and_column_pair_n_mod_8) {
    const dst_storage storage = numbered_storage();
    for (const lane_mask odd : {lane_mask{0}, all_lanes, lane_mask{0x5a0ff13c}}) {
        lanes read;
        storage.read16(20, odd, read);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            EXPECT_EQ(read[lane], storage.cell(20 + lane / 8, column_of(lane, odd))) << "lane " << lane;
    }
}

TEST(dst_storage, a_32_bit_slice_has_its_lower_halves_eight_rows_below) {
    const dst_storage storage = numbered_storage();
    for (const lane_mask odd : {lane_mask{0}, all_lanes, lane_mask{0x5a0ff13c}}) {
        lanes read;
        storage.read32(36, odd, read);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const unsigned row = 36 + lane / 8, column = column_of(lane, odd);
            EXPECT_EQ(read[lane], storage.cell(row, column) * 0x10000u + storage.cell(row + 8, column));
        }
    }
}

TEST(dst_storage, a_write_changes_the_cells_of_its_lanes_and_no_others) {
    std::mt19937 random(1);
    const dst_storage before = numbered_storage();
    for (unsigned round = 0; round < 200; ++round) {
        const bool wide = random() % 2;
        const unsigned row = adjust32(random() % 128 * 4, round % 3 == 0, round % 5 == 0);
        const std::array<lane_mask, 3> masks{0, all_lanes, static_cast<lane_mask>(random())};
        const lane_mask odd = masks[random() % 3], where = masks[random() % 3];
        lanes data;
        for (std::uint32_t& lane : data.v) lane = static_cast<std::uint32_t>(random());

        dst_storage after = before, expected = before;
        if (wide) after.write32(row, odd, where, data);
        else after.write16(row, odd, where, data);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            if (!(where >> lane & 1)) continue;
            const unsigned r = row + lane / 8, column = column_of(lane, odd);
            const auto high = static_cast<std::uint16_t>(data[lane] >> 16),
                       low = static_cast<std::uint16_t>(data[lane]);
            expected.set_cell(r, column, wide ? high : low);
            if (wide) expected.set_cell(r + 8, column, low);
        }
        ASSERT_EQ(std::memcmp(after.data(), expected.data(), dst::bytes), 0) << "round " << round;

        if (!wide) continue;
        lanes back;
        after.read32(row, odd, back);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            if (where >> lane & 1) {
                ASSERT_EQ(back[lane], data[lane]);
            }
        }
    }
}

TEST(dst_storage, cell_row_column_is_the_little_endian_halfword_at_row_times_32_plus_column_times_2) {
    dst_storage storage = numbered_storage();
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column) {
            const unsigned char* place = storage.data() + row * 32 + column * 2;
            ASSERT_EQ(place[0] | place[1] << 8, storage.cell(row, column));
        }
}

// --- mem_tsock ---------------------------------------------------------------------------------------------

TEST(dst_mem_tsock, what_is_written_at_row_times_32_plus_column_times_2_is_the_cell) {
    in_child([] {
        dst_rig rig;
        start();
        std::array<unsigned char, 2> bytes{0x34, 0x12};
        EXPECT_EQ(rig.memory.write(77 * 32 + 5 * 2, bytes.data(), 2), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.dst.storage().cell(77, 5), 0x1234);
        EXPECT_EQ(rig.dst.storage().cell(77, 4), 0);
        EXPECT_EQ(rig.dst.storage().cell(77, 6), 0);
    });
}

TEST(dst_mem_tsock, any_length_and_alignment_reads_back_what_was_written) {
    in_child([] {
        dst_rig rig;
        start();
        std::mt19937 random(2);
        std::vector<unsigned char> mirror(dst::bytes), buffer;
        for (unsigned round = 0; round < 500; ++round) {
            const unsigned address = random() % dst::bytes;
            const unsigned length =
                1 + random() % std::min<unsigned>(dst::bytes - address, round % 10 ? 70 : dst::bytes);
            buffer.resize(length);
            for (unsigned char& byte : buffer) byte = static_cast<unsigned char>(random());
            ASSERT_EQ(rig.memory.write(address, buffer.data(), length), tlm::TLM_OK_RESPONSE);
            std::copy(buffer.begin(), buffer.end(), mirror.begin() + address);
        }
        buffer.assign(dst::bytes, 0);
        EXPECT_EQ(rig.memory.read(0, buffer.data(), dst::bytes), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(buffer, mirror);
    });
}

TEST(dst_mem_tsock, an_access_takes_one_cycle) {
    in_child([] {
        dst_rig rig;
        start();
        std::uint32_t word = 0;
        rig.memory.delay = time_of(7);
        rig.memory.read(0, &word, 4);
        EXPECT_EQ(rig.memory.delay, time_of(8));
    });
}

TEST(dst_mem_tsock, what_does_not_lie_inside_is_an_address_error_and_takes_no_time) {
    in_child([] {
        dst_rig rig;
        start();
        std::array<unsigned char, 64> data{};
        constexpr std::uint64_t end = dst::bytes, top = std::numeric_limits<std::uint64_t>::max();
        for (const auto& [address, length] :
             std::vector<std::pair<std::uint64_t, unsigned>>{{end, 1},
                                                             {end - 1, 2},
                                                             {end - 63, 64},
                                                             {end + 32, 4},
                                                             {top, 1},
                                                             {top - 3, 4},
                                                             {top - 3, 64},
                                                             {top / 2 + 1, 4}}) {
            EXPECT_EQ(rig.memory.read(address, data.data(), length), tlm::TLM_ADDRESS_ERROR_RESPONSE)
                << address;
            EXPECT_EQ(rig.memory.write(address, data.data(), length), tlm::TLM_ADDRESS_ERROR_RESPONSE)
                << address;
            EXPECT_EQ(rig.memory.debug(tlm::TLM_READ_COMMAND, top - 3, data.data(), length), 0u);
        }
        EXPECT_EQ(rig.memory.delay, sc_core::SC_ZERO_TIME);
        EXPECT_EQ(rig.memory.read(end - 64, data.data(), 64), tlm::TLM_OK_RESPONSE);
    });
}

TEST(dst_mem_tsock, a_length_near_four_gigabytes_does_not_wrap_round) {
    in_child([] {
        dst_rig rig;
        start();
        std::uint32_t word = 0;
        for (const unsigned length : {0xffffffffu, 0xfffffffcu, 0xffff8004u, 0x80000000u})
            EXPECT_EQ(rig.memory.read(4, &word, length), tlm::TLM_ADDRESS_ERROR_RESPONSE) << length;
    });
}

TEST(dst_mem_tsock, byte_enables_are_refused_and_nothing_moves) {
    in_child([] {
        dst_rig rig;
        start();
        std::uint32_t word = 0xffffffff;
        std::array<unsigned char, 4> enables{0xff, 0, 0xff, 0};
        fill(rig.memory.trans, tlm::TLM_WRITE_COMMAND, 0, &word, 4);
        rig.memory.trans.set_byte_enable_ptr(enables.data());
        rig.memory.trans.set_byte_enable_length(4);
        rig.memory.isock->b_transport(rig.memory.trans, rig.memory.delay);
        EXPECT_EQ(rig.memory.trans.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        EXPECT_EQ(rig.dst.storage().cell(0, 0), 0);
        EXPECT_EQ(rig.memory.delay, sc_core::SC_ZERO_TIME);
    });
}

TEST(dst_mem_tsock, a_streaming_width_below_the_length_is_refused_and_above_it_is_not) {
    in_child([] {
        dst_rig rig;
        start();
        std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
        for (const auto& [width, expected] :
             std::vector<std::pair<unsigned, tlm::tlm_response_status>>{{4, tlm::TLM_BURST_ERROR_RESPONSE},
                                                                        {7, tlm::TLM_BURST_ERROR_RESPONSE},
                                                                        {8, tlm::TLM_OK_RESPONSE},
                                                                        {64, tlm::TLM_OK_RESPONSE}}) {
            fill(rig.memory.trans, tlm::TLM_WRITE_COMMAND, 0, data.data(), 8);
            rig.memory.trans.set_streaming_width(width);
            rig.memory.isock->b_transport(rig.memory.trans, rig.memory.delay);
            EXPECT_EQ(rig.memory.trans.get_response_status(), expected) << "streaming width " << width;
        }
    });
}

TEST(dst_mem_tsock, ignore_moves_nothing) {
    in_child([] {
        dst_rig rig;
        start();
        std::uint32_t word = 0x12345678;
        EXPECT_EQ(rig.memory.access(tlm::TLM_IGNORE_COMMAND, 0, &word, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(word, 0x12345678u);
        EXPECT_EQ(rig.dst.storage().cell(0, 0), 0);
    });
}

TEST(dst_mem_tsock, transport_dbg_moves_bytes_without_time) {
    in_child([] {
        dst_rig rig;
        start();
        std::uint32_t word = 0xcafe1234, back = 0;
        EXPECT_EQ(rig.memory.debug(tlm::TLM_WRITE_COMMAND, 64, &word, 4), 4u);
        EXPECT_EQ(rig.memory.debug(tlm::TLM_READ_COMMAND, 64, &back, 4), 4u);
        EXPECT_EQ(back, word);
        EXPECT_EQ(rig.dst.storage().cell(2, 1), 0xcafe);
        EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(rig.memory.delay, sc_core::SC_ZERO_TIME);
    });
}

TEST(dst_mem_tsock, transport_dbg_looks_at_command_address_data_and_length_only) {
    // IEEE 1666: byte enables and streaming width have no meaning in a debug access, so nobody needs to set
    // them.
    in_child([] {
        dst_rig rig;
        start();
        rig.dst.storage().set_cell(0, 0, 0x5678);
        std::uint32_t word = 0;
        tlm::tlm_generic_payload trans;
        trans.set_command(tlm::TLM_READ_COMMAND);
        trans.set_address(0);
        trans.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
        trans.set_data_length(4);
        EXPECT_EQ(rig.memory.isock->transport_dbg(trans), 4u);
        EXPECT_EQ(word, 0x5678u);
    });
}

TEST(dst_mem_tsock, transport_dbg_moves_the_part_of_its_range_that_exists) {
    in_child([] {
        dst_rig rig;
        start();
        std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
        EXPECT_EQ(rig.memory.debug(tlm::TLM_WRITE_COMMAND, dst::bytes - 2, data.data(), 8), 2u);
        EXPECT_EQ(rig.dst.storage().cell(1023, 15), 0x0201);
        EXPECT_EQ(rig.memory.debug(tlm::TLM_READ_COMMAND, dst::bytes, data.data(), 8), 0u);
        EXPECT_EQ(rig.memory.debug(tlm::TLM_IGNORE_COMMAND, 0, data.data(), 8), 0u);
    });
}

TEST(dst_mem_tsock, dmi_hands_out_the_same_bytes_with_an_inclusive_end_and_the_access_time) {
    in_child([] {
        dst_rig rig;
        start();
        tlm::tlm_dmi dmi;
        std::uint32_t word = 0;
        fill(rig.memory.trans, tlm::TLM_READ_COMMAND, 128, &word, 4);
        ASSERT_TRUE(rig.memory.isock->get_direct_mem_ptr(rig.memory.trans, dmi));
        EXPECT_EQ(dmi.get_start_address(), 0u);
        EXPECT_EQ(dmi.get_end_address(), dst::bytes - 1); // inclusive
        EXPECT_TRUE(dmi.is_read_write_allowed());
        EXPECT_EQ(dmi.get_read_latency(), period());
        EXPECT_EQ(dmi.get_write_latency(), period());
        dmi.get_dmi_ptr()[33 * 32 + 4] = 0x99;
        EXPECT_EQ(rig.dst.storage().cell(33, 2), 0x99);
        rig.memory.read(0, &word, 4);
        EXPECT_TRUE(rig.memory.trans.is_dmi_allowed());
    });
}

TEST(dst_mem_tsock, dmi_for_an_address_outside_is_refused_for_that_address) {
    in_child([] {
        dst_rig rig;
        start();
        tlm::tlm_dmi dmi;
        std::uint32_t word = 0;
        fill(rig.memory.trans, tlm::TLM_READ_COMMAND, dst::bytes, &word, 4);
        EXPECT_FALSE(rig.memory.isock->get_direct_mem_ptr(rig.memory.trans, dmi));
        EXPECT_LE(dmi.get_start_address(), dst::bytes);
        EXPECT_GE(dmi.get_end_address(), dst::bytes);
        EXPECT_TRUE(dmi.is_none_allowed());
    });
}

TEST(dst_mem_tsock, dmi_is_refused_while_a_vector_unit_is_attached) {
    in_child([] {
        unit_rig rig;
        start();
        tlm::tlm_dmi dmi;
        std::uint32_t word = 0;
        fill(rig.memory.trans, tlm::TLM_READ_COMMAND, 0, &word, 4);
        EXPECT_FALSE(rig.memory.isock->get_direct_mem_ptr(rig.memory.trans, dmi));
        EXPECT_TRUE(dmi.is_none_allowed());
        EXPECT_EQ(rig.memory.read(0, &word, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_FALSE(rig.memory.trans.is_dmi_allowed());
    });
}

TEST(dst_mem_tsock, dmi_granted_before_a_vector_unit_is_attached_is_taken_back) {
    struct idle_unit : dst::lagging_model {
        cycles catch_up(const sc_core::sc_time&) override { return cycles{}; }
    };
    in_child([] {
        dst_rig rig;
        idle_unit unit;
        start();
        tlm::tlm_dmi dmi;
        std::uint32_t word = 0;
        fill(rig.memory.trans, tlm::TLM_READ_COMMAND, 0, &word, 4);
        ASSERT_TRUE(rig.memory.isock->get_direct_mem_ptr(rig.memory.trans, dmi));
        rig.dst.attach(unit);
        ASSERT_EQ(rig.memory.invalidated.size(), 1u);
        EXPECT_EQ(rig.memory.invalidated.front().first, 0u);
        EXPECT_EQ(rig.memory.invalidated.front().second, dst::bytes - 1);
        EXPECT_FALSE(rig.memory.isock->get_direct_mem_ptr(rig.memory.trans, dmi));
    });
}

TEST(dst_mem_tsock, may_stay_unbound) {
    in_child([] {
        dst::dst_memory memory("dst");
        slice_driver slices("slices");
        slices.load.socket.bind(memory.load_tsock);
        slices.store.socket.bind(memory.store_tsock);
        start();
    });
}

// --- slices ------------------------------------------------------------------------------------------------

TEST(dst_slices, a_stored_slice_is_loaded_again_and_lies_where_the_view_says) {
    in_child([] {
        dst_rig rig;
        start();
        std::mt19937 random(3);
        for (unsigned round = 0; round < 300; ++round) {
            rig.dst.storage().clear();
            dst::slice_extension where;
            where.at = cycles{round};
            where.wide = random() % 2;
            where.row = random() % 128 * 4;
            where.rows.remap_addrs = random() % 2;
            where.rows.swizzle_32b = random() % 2;
            where.odd_columns =
                std::array<lane_mask, 3>{0, all_lanes, static_cast<lane_mask>(random())}[random() % 3];
            where.lanes = random() % 2 ? all_lanes : static_cast<lane_mask>(random());
            lanes data;
            for (std::uint32_t& lane : data.v) lane = static_cast<std::uint32_t>(random() | 0x00010001);
            rig.slices.write(where, data);
            const lanes back = rig.slices.read(where);
            const unsigned row = where.wide
                                     ? adjust32(where.row, where.rows.remap_addrs, where.rows.swizzle_32b)
                                     : adjust16(where.row, where.rows.remap_addrs);
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const bool written = where.lanes >> lane & 1;
                ASSERT_EQ(back[lane], !written ? 0 : where.wide ? data[lane] : data[lane] & 0xffff);
                const unsigned column = column_of(lane, where.odd_columns);
                ASSERT_EQ(rig.dst.storage().cell(row + lane / 8, column) != 0, written);
            }
        }
        EXPECT_EQ(rig.dst.reads(), 300u);
        EXPECT_EQ(rig.dst.writes(), 300u);
    });
}

TEST(dst_slices, are_moved_alike_whichever_vector_instruction_set_the_moves_were_compiled_for) {
    const dst::slice_moves best = dst::best_slice_moves(), baseline = dst::baseline_slice_moves();
    constexpr unsigned pairs =
        12 * dst::pairs_per_row; // a wide slice: four rows, and the four that begin 8 below
    std::mt19937 random(4);
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    const auto mask = [&] { return std::array<lane_mask, 4>{0, all_lanes, word(), word()}[random() % 4]; };
    for (unsigned round = 0; round < 500; ++round) {
        std::array<std::uint32_t, pairs> cells;
        lanes data;
        for (std::uint32_t& pair : cells) pair = word();
        for (std::uint32_t& lane : data.v) lane = word();
        const lane_mask odd = mask(), where = mask();
        for (const bool wide : {false, true}) {
            lanes read = data, expected_read = data;
            (wide ? best.read32 : best.read16)(cells.data(), odd, read);
            (wide ? baseline.read32 : baseline.read16)(cells.data(), odd, expected_read);
            EXPECT_TRUE(same(read, expected_read)) << wide << ' ' << odd;
            std::array<std::uint32_t, pairs> written = cells, expected = cells;
            (wide ? best.write32 : best.write16)(written.data(), odd, where, data);
            (wide ? baseline.write32 : baseline.write16)(expected.data(), odd, where, data);
            EXPECT_EQ(written, expected) << wide << ' ' << odd << ' ' << where;
        }
    }
}

tlm::tlm_response_status send_slice(slice_sender& port, tlm::tlm_command command,
                                    const dst::slice_extension& slice, unsigned length) {
    alignas(64) std::array<unsigned char, 256> data{};
    dst::slice_payload trans;
    fill(trans, command, 0, data.data(), length);
    trans.slice = slice;
    EXPECT_EQ(trans.get_extension<dst::slice_extension>(), &trans.slice);
    sc_core::sc_time delay;
    port.socket->b_transport(trans, delay);
    EXPECT_EQ(delay, trans.is_response_ok() ? period() : sc_core::SC_ZERO_TIME);
    return trans.get_response_status();
}

TEST(dst_slices, a_slice_transaction_with_a_wrong_length_is_refused) {
    in_child([] {
        dst_rig rig;
        start();
        const dst::slice_extension slice;
        for (slice_sender* port : {&rig.slices.load, &rig.slices.store}) {
            const tlm::tlm_command command =
                port == &rig.slices.load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
            EXPECT_EQ(send_slice(*port, command, slice, 128), tlm::TLM_OK_RESPONSE);
            for (const unsigned length : {0u, 4u, 127u, 129u, 256u})
                EXPECT_EQ(send_slice(*port, command, slice, length), tlm::TLM_GENERIC_ERROR_RESPONSE)
                    << length;
        }
        EXPECT_EQ(rig.dst.reads(), 1u);
        EXPECT_EQ(rig.dst.writes(), 1u);
    });
}

TEST(dst_slices, a_row_that_begins_no_slice_is_refused) {
    in_child([] {
        dst_rig rig;
        start();
        dst::slice_extension slice;
        for (const unsigned row : {1u, 2u, 1023u, 1024u, 4096u, 0xfffffffcu}) {
            slice.row = row;
            EXPECT_EQ(send_slice(rig.slices.load, tlm::TLM_READ_COMMAND, slice, 128),
                      tlm::TLM_GENERIC_ERROR_RESPONSE);
        }
        for (const bool wide : {false, true}) {
            slice.wide = wide;
            slice.row = 1020;
            EXPECT_EQ(send_slice(rig.slices.load, tlm::TLM_READ_COMMAND, slice, 128), tlm::TLM_OK_RESPONSE);
        }
    });
}

TEST(dst_slices, the_load_port_takes_reads_only_and_the_store_port_writes_only) {
    in_child([] {
        dst_rig rig;
        start();
        rig.dst.storage().set_cell(0, 0, 0x1111);
        dst::slice_extension slice;
        for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_IGNORE_COMMAND})
            EXPECT_EQ(send_slice(rig.slices.store, command, slice, 128), tlm::TLM_COMMAND_ERROR_RESPONSE);
        for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND})
            EXPECT_EQ(send_slice(rig.slices.load, command, slice, 128), tlm::TLM_COMMAND_ERROR_RESPONSE);
        EXPECT_EQ(rig.dst.storage().cell(0, 0), 0x1111);
        EXPECT_EQ(rig.dst.reads() + rig.dst.writes(), 0u);
    });
}

} // namespace
} // namespace sfpu::test
