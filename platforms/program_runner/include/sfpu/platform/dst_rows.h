// Contents of Dst storage, whole or in part: 1024 rows of 16 cells of 16 bits.
#pragma once

#include <sfpu/dst/dst_storage.h>

#include <bitset>
#include <cstdint>
#include <memory>
#include <utility>

namespace sfpu::platform {

constexpr unsigned dst_row_count = dst::row_count, dst_row_cells = dst::cells_per_row;
using dst_row = dst::row_cells;
using dst_image = dst::image;

/// Rows of Dst storage that have been given. Others are zero.
class dst_rows {
public:
    dst_rows() = default;
    dst_rows(const dst_rows& other)
        : rows_(other.rows_ ? std::make_unique<dst_image>(*other.rows_) : nullptr),
          is_given_(other.is_given_) {}
    dst_rows(dst_rows&& other) noexcept : rows_(std::move(other.rows_)), is_given_(other.is_given_) {
        other.clear();
    }
    dst_rows& operator=(dst_rows other) noexcept {
        rows_.swap(other.rows_);
        is_given_ = other.is_given_;
        return *this;
    }
    ~dst_rows() = default;

    /// Gives the row, as zeros if it was not given before. `row`: 0 to 1023.
    dst_row& operator[](unsigned row) {
        if (!rows_) rows_ = std::make_unique<dst_image>();
        if (!is_given_[row]) {
            is_given_[row] = true;
            (*rows_)[row] = {};
        }
        return (*rows_)[row];
    }
    /// Whether the row has been given.
    bool has(unsigned row) const { return is_given_[row]; }
    /// What the row holds, null if it has not been given.
    const dst_row* find(unsigned row) const { return has(row) ? &(*rows_)[row] : nullptr; }
    bool empty() const { return is_given_.none(); }
    /// All rows, null if not all have been given.
    const dst_image* whole() const { return is_given_.all() ? rows_.get() : nullptr; }
    void clear() { is_given_.reset(); }

    /// Goes through the given rows in their order: pairs of a number and its cells.
    class const_iterator {
    public:
        const_iterator(const dst_rows& of, unsigned row) : of_(&of), row_(row) { skip(); }
        std::pair<unsigned, const dst_row&> operator*() const { return {row_, (*of_->rows_)[row_]}; }
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
    std::unique_ptr<dst_image> rows_; ///< nothing before the first row
    std::bitset<dst_row_count> is_given_;
};

} // namespace sfpu::platform
