// Contents of Dst storage, whole or in part: 1024 rows of 16 cells of 16 bits.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <utility>
#include <vector>

namespace sfpu::platform {

constexpr unsigned dst_row_count = 1024, dst_row_cells = 16;
using dst_row = std::array<std::uint16_t, dst_row_cells>;

/// Raw Dst storage.
using dst_image = std::array<dst_row, dst_row_count>;

/// Rows of Dst storage that have been given. Others are zero.
class dst_rows {
public:
    /// Gives the row, as zeros if it was not given before. `row`: 0 to 1023.
    dst_row& operator[](unsigned row) {
        if (rows_.empty()) rows_.resize(dst_row_count);
        if (!is_given_[row]) {
            is_given_[row] = true;
            rows_[row] = {};
        }
        return rows_[row];
    }
    /// Whether the row has been given.
    bool has(unsigned row) const { return is_given_[row]; }
    /// What the row holds, null if it has not been given.
    const dst_row* find(unsigned row) const { return has(row) ? &rows_[row] : nullptr; }
    bool empty() const { return is_given_.none(); }
    void clear() { is_given_.reset(); }

    /// Goes through the given rows in their order: pairs of a number and its cells.
    class const_iterator {
    public:
        const_iterator(const dst_rows& of, unsigned row) : of_(&of), row_(row) { skip(); }
        std::pair<unsigned, const dst_row&> operator*() const { return {row_, of_->rows_[row_]}; }
        const_iterator& operator++() {
            ++row_;
            skip();
            return *this;
        }
        bool operator!=(const const_iterator& other) const { return row_ != other.row_; }

    private:
        void skip() {
            while (row_ != dst_row_count && !of_->is_given_[row_]) ++row_;
        }

        const dst_rows* of_;
        unsigned row_;
    };
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, dst_row_count}; }

private:
    std::vector<dst_row> rows_; ///< all or none
    std::bitset<dst_row_count> is_given_;
};

} // namespace sfpu::platform
