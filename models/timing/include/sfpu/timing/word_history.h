// The latest words that came, and what comes next if they repeat themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace sfpu::timing {

class word_history {
public:
    /// At least so many words are kept.
    static constexpr std::size_t kept = 512;

    void clear() { end_ = 0; }
    void add(std::uint32_t word) {
        if (end_ == words_.size()) make_room();
        words_[end_++] = word;
    }
    void add(const std::uint32_t* words, std::size_t count) {
        while (count != 0) {
            if (end_ == words_.size()) make_room();
            const std::size_t now = std::min(count, words_.size() - end_);
            std::memcpy(&words_[end_], words, now * sizeof *words);
            end_ += now;
            words += now;
            count -= now;
        }
    }

    /// The shortest period of which the latest `context` words, 1 or more, can be part: each of them is the
    /// word that came a period before it. 0 if there is none.
    std::size_t period(std::size_t context) const {
        if (end_ < context) return 0;
        const std::uint32_t* const latest = &words_[end_ - context];
        for (std::size_t period = 1; period + context <= end_; ++period)
            if (words_[end_ - 1] == words_[end_ - 1 - period] &&
                std::memcmp(latest, latest - period, context * sizeof *latest) == 0)
                return period;
        return 0;
    }
    /// What comes next if words go on with this period: as many whole periods as `most` words hold, or else
    /// `most` words.
    void go_on(std::size_t period, std::size_t most, std::vector<std::uint32_t>& words) const {
        const std::size_t count = period > most ? most : most / period * period;
        words.clear();
        for (std::size_t i = 0; i < count; ++i) words.push_back(words_[end_ - period + i % period]);
    }

private:
    void make_room() {
        if (words_.empty()) {
            words_.resize(2 * kept);
            return;
        }
        std::copy(words_.end() - kept, words_.end(), words_.begin());
        end_ = kept;
    }

    std::vector<std::uint32_t> words_; ///< nothing before the first word
    std::size_t end_ = 0;
};

} // namespace sfpu::timing
